"""A worker process of a sweep: batches come in on its standard input, records go out, one JSON object a line."""

import json
import os
import signal
import sys
from typing import Any, Dict

from . import _core
from ._core import BadInput, Missing, Refused
from .batches import run_batch

ERRORS = {"BadInput": BadInput, "Missing": Missing, "Refused": Refused}


def main() -> None:
    _core.die_with_parent()
    if os.getppid() != int(sys.argv[1]):  # it died before the line above
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the sweep, which ends its workers
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what anything else prints must not come between the lines
    platforms: Dict[str, str] = {}
    for line in sys.stdin:
        message: Dict[str, Any] = json.loads(line)
        platforms.update(message.get("platforms", {}))
        try:
            answer: Dict[str, Any] = {"records": run_batch(platforms[message["batch"]["platform"]], message["batch"])}
        except Exception as error:  # whatever it is, the sweep has to hear of it
            kind = type(error).__name__
            answer = {"error": kind if kind in ERRORS else "Refused",
                      "message": str(error) if kind in ERRORS else f"{kind}: {error}"}
        out.write(json.dumps(answer) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
