import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["SOURCE"])
PLATFORMS = SOURCE / "platforms"


@pytest.fixture(scope="session")
def das():
    import isthmus

    return isthmus.Platform(PLATFORMS / "kielmann2000/das-4x4.xml")


@pytest.fixture(scope="session")
def small():
    import isthmus

    return isthmus.Platform(PLATFORMS / "kielmann2000/das-4x1.xml")


@pytest.fixture
def run_python(tmp_path):
    """Runs code in a Python of its own, in an empty folder."""

    def run(code, *arguments, **options):
        return subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            cwd=tmp_path,
            text=True,
            capture_output=True,
            timeout=120,
            **options,
        )

    return run


def children_of(pid):
    """Processes below a process, however deep."""
    below = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            below.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        more = below.get(waiting.pop(), [])
        found += more
        waiting += more
    return found


def is_alive(pid):
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
