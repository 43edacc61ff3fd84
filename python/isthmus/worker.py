"""A worker process of a sweep: reads batches on standard input and writes answers, one JSON object a line."""

import json
import os
import signal
import sys
from typing import Any

from . import _core
from .batches import run_batch


def go_first_when_memory_is_short() -> None:
    """When memory runs out, the kernel ends this process first: its points can be run again."""
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    except OSError:
        pass


def main() -> None:
    _core.die_with_parent()
    if os.getppid() != int(sys.argv[1]):  # it died before the line above
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the sweep, which ends its workers
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what anything else prints must not come between the lines
    go_first_when_memory_is_short()
    out.write('{"ready": true}\n')
    out.flush()
    platforms: dict[str, str] = {}
    for line in sys.stdin:
        message: dict[str, Any] = json.loads(line)
        platforms.update(message.get("platforms", {}))
        out.write(json.dumps({"answers": run_batch(platforms[message["batch"]["platform"]], message["batch"])}) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
