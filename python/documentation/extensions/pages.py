"""The examples of a page: its fenced blocks, and the folder in which they run, from top to bottom.

    ```python            runs as a cell of a notebook
    ```console           commands after `$ `; lines below a command are parts of its output
    ```console emulated  what needs the emulated network, commands or `python`: not run with the page, but by a test
    ```LANGUAGE FILE     is written to this file
"""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from isthmus.programs import program

SOURCE = Path(__file__).absolute().parents[3]
BLOCK = re.compile(r"^(`{3,})(\w+)(?: +(\S+))?\n(.*?)^\1 *$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `file` is the name of the file that it is written to."""

    language: str
    file: str | None
    emulated: bool
    text: str
    span: tuple[int, int]


@dataclass(frozen=True)
class Command:
    """A command and the lines shown below it."""

    line: str
    shown: list[str]


def blocks_of(text: str) -> Iterator[Block]:
    """The fenced blocks of a page that name a language, in order."""
    for found in BLOCK.finditer(text):
        _, language, word, inside = found.groups()
        emulated = word == "emulated"
        yield Block(language, None if emulated else word, emulated, inside, found.span())


def commands_of(block: Block) -> list[Command]:
    """The commands of a console block. A line that ends in a backslash goes on in the next one."""
    commands = []
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        line, _, shown = re.sub(r"\\\n", "\\\0", part).partition("\n")
        commands.append(Command(line.replace("\\\0", "\\\n"), shown.rstrip("\n").split("\n") if shown.strip() else []))
    return commands


def prepare(folder: Path) -> None:
    """A folder as a page has it: `platforms` and `validation` are those of the source."""
    for name in ("platforms", "validation"):
        (folder / name).symlink_to(SOURCE / name)


def run(command: Command, folder: Path, timeout_s: float = 120, any_numbers: bool = False) -> str:
    """Runs a command as a shell would; returns its output. With `any_numbers` only words have to be those shown.

    Raises
    ------
    RuntimeError
        When it fails, complains, or does not print a line that the page shows. Blanks do not count.
    """
    environment = {**os.environ, "PATH": f"{Path(program()).parent}:{os.environ['PATH']}", "COLUMNS": "80"}
    environment.pop("PYTHONWARNINGS", None)
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command.line],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout_s,
    )
    if done.returncode not in (0, 128 + signal.SIGPIPE) or done.stderr:  # the latter: `head` has read enough
        raise RuntimeError(f"`{command.line}`: exit status {done.returncode}\n{done.stdout}{done.stderr}")

    def compared(line: str) -> str:
        return re.sub(r"\d+(\.\d+)?", "#", " ".join(line.split())) if any_numbers else " ".join(line.split())

    printed = [compared(line) for line in done.stdout.splitlines()]
    for line in command.shown:
        if line.strip() not in ("", "...") and compared(line) not in printed:
            raise RuntimeError(f"`{command.line}` does not print `{line}` but\n{done.stdout}")
    return done.stdout
