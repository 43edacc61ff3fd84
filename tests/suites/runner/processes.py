"""Runs a command to its end, or to its time-out, and leaves no process of it behind."""

import ctypes
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Ended:
    """How a command ended: its status (negative: a signal; None: stopped at its time-out), and what it printed."""

    status: int | None
    output: str


def adopt_orphans() -> None:
    """Makes this process the parent of orphaned descendants, so that end_all() finds them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> list[int]:
    """The processes below this one, zombies left out."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # It has ended meanwhile.
        if state != "Z":
            children.setdefault(int(parent), []).append(int(entry.name))
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def end_all() -> None:
    """Kills every process below this one, and waits until they are gone."""
    while left := descendants():
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return
        except ChildProcessError:
            return


def run_whole(argv: list[str], environment: dict[str, str], folder: Path, timeout_s: float, grace_s: float) -> Ended:
    """Runs argv in a folder. At the time-out it gets SIGTERM, after the grace it is killed with all below it."""
    with tempfile.TemporaryFile() as output:
        # Where this process is killed itself, the launcher is told to end, and ends its ranks.
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", *argv], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        status = None
        try:
            status = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(grace_s)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        finally:
            end_all()
        output.seek(0)
        return Ended(status, output.read().decode(errors="replace"))
