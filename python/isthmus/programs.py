"""The program `isthmus` and its helper programs: their paths, and how to run them."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def _prefix() -> Path | None:
    """The folder with bin/isthmus and libexec/isthmus: that of this package (pip), or one above it."""
    package = Path(__file__).absolute().parent
    for folder in (package, *package.parents):
        if (folder / "bin/isthmus").is_file() and (folder / "libexec/isthmus").is_dir():
            return folder
    return None


PREFIX = _prefix()
if PREFIX is not None:
    os.environ.setdefault("ISTHMUS_LIBEXEC", str(PREFIX / "libexec/isthmus"))

from . import _core  # noqa: E402  (reads the variable)
from ._core import BadInput, Missing, Refused  # noqa: E402


def program() -> str:
    """Gives the path of the program `isthmus`.

    Returns
    -------
    str
        Its absolute path.

    Raises
    ------
    Missing
        When it is not beside the package.
    """
    if PREFIX is None:
        raise Missing("the program isthmus is not beside its Python package; install isthmus whole")
    return str(PREFIX / "bin/isthmus")


def run_isthmus(arguments: Sequence[str], on_line: Callable[[str], None], timeout_s: float = 0) -> None:
    """Runs `isthmus ARGUMENTS`; an error is raised as the exception that stands for its exit status."""
    status, errors, how_it_ended = _core.run_program([program(), *arguments], on_line, timeout_s)
    if status == 0:
        return
    lines = [line for line in errors.splitlines() if line.strip()]
    message = lines[-1].removeprefix("isthmus: ") if lines else f"isthmus {arguments[0]} {how_it_ended}"
    raise {2: BadInput, 3: Missing}.get(status, Refused)(message)


def json_lines(arguments: Sequence[str], timeout_s: float = 0) -> list[dict[str, Any]]:
    """The output of `isthmus ARGUMENTS --format json`: one object a line."""
    lines: list[str] = []
    run_isthmus([*arguments, "--format", "json"], lines.append, timeout_s)
    return [json.loads(line) for line in lines]


def main() -> None:
    """The console script `isthmus` of a pip installation: becomes the program."""
    try:
        path = program()
    except Missing as error:
        sys.exit(f"isthmus: {error}")
    os.execv(path, ["isthmus", *sys.argv[1:]])
