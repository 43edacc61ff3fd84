"""Building a suite in a folder of its own: the folder that the user named is only read."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from .cases import Lacking


def copy_once(source: Path, target: Path) -> None:
    """Copies a folder, where that has not been done."""
    if target.exists():
        return
    unfinished = target.with_name(target.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(source, unfinished, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    unfinished.rename(target)


def need_tools(tools: Iterable[str], packages: str) -> None:
    """Raises Lacking for those of the tools that are not there."""
    if missing := [tool for tool in tools if shutil.which(tool) is None]:
        raise Lacking(f"{', '.join(missing)}: not found; the Debian packages {packages} have them")


def attempt(argv: list[str], folder: Path, log: Path, environment: dict[str, str] | None = None) -> bool:
    """Runs a step of a build, with what it prints added to the log. Whether it did."""
    with log.open("a") as out:
        out.write(f"$ {' '.join(argv)}\n")
        out.flush()
        return subprocess.run(
            argv, cwd=folder, env=os.environ | (environment or {}), stdin=subprocess.DEVNULL, stdout=out,
            stderr=subprocess.STDOUT, check=False,
        ).returncode == 0  # fmt: skip


def step(argv: list[str], folder: Path, log: Path, environment: dict[str, str] | None = None) -> None:
    """The same for a step that has to be done; raises Lacking where it fails."""
    if not attempt(argv, folder, log, environment):
        raise Lacking(f"`{' '.join(argv)[:60]}` failed in building the suite; {log} has what it said")
