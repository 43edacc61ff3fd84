"""Holds the directions in which isthmus's folders may include each other.

Reads every #include of the project's own headers, of MPI and of SimGrid, and lists those that point the wrong way.
Usage: directions.py SOURCE_FOLDER | --self-test. Exit status 1 when something points the wrong way.
"""

import re
import sys
import tempfile
from pathlib import Path

ALGORITHMS = {"schedule", "topology", "collective", "models", "tuning", "process", "json", "text", "mpi"}
# Folder -> folders that it may include (itself is always allowed). `collectives` stands for broadcast, reduce, ...
MAY_USE = {
    "algorithms/schedule": set(),
    "algorithms": {"algorithms/text"},
    "algorithms/text": set(),
    "algorithms/process": set(),
    "algorithms/json": {"algorithms/text", "algorithms/process"},
    "algorithms/topology": {"algorithms/text", "algorithms/json"},
    "algorithms/collective": {"algorithms/text", "algorithms/schedule", "algorithms/topology", "collectives"},
    "collectives": {"algorithms/schedule", "algorithms/topology", "algorithms/collective"},
    "algorithms/models": {"algorithms/text", "algorithms/process", "algorithms/json", "algorithms/schedule", "algorithms/topology",
                          "algorithms/collective"},
    "algorithms/tuning": {"algorithms/text", "algorithms/json", "algorithms/schedule", "algorithms/topology", "algorithms/collective",
                          "algorithms/models", "collectives"},
    "algorithms/mpi": {"algorithms/"},
    "platforms": {"algorithms/"},
    "sim": {"algorithms/"},
    "emulator": {"algorithms/"},
    "validation": {"algorithms/", "platforms", "sim", "emulator"},
    "python": {"algorithms/", "platforms", "sim", "emulator", "validation"},
}
# These belong to everybody.
COMMON = {"algorithms/errors.hpp", "algorithms/memory.hpp"}
MPI = re.compile(r"^mpi\.h$")
SIMGRID = re.compile(r"^(simgrid|smpi|xbt)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.M)


def folder_of(path: str) -> str:
    """The row of MAY_USE that a file path, relative to the source folder, belongs to."""
    parts = path.split("/")
    if parts[0] != "algorithms":
        return parts[0]
    if len(parts) < 3:
        return "algorithms"
    return f"algorithms/{parts[1]}" if parts[1] in ALGORITHMS else "collectives"


def wrong_includes(source: Path) -> list[str]:
    wrong = []
    for top in ("algorithms", "platforms", "sim", "emulator", "validation", "python"):
        for file in sorted((source / top).rglob("*")):
            if file.suffix not in {".hpp", ".cpp", ".h", ".c"}:
                continue
            name = file.relative_to(source).as_posix()
            folder = folder_of(name)
            for header in INCLUDE.findall(file.read_text()):
                if MPI.match(header) and folder not in {"algorithms/mpi", "sim"}:
                    wrong.append(f"{name}: MPI is used in algorithms/mpi only ({header})")
                elif SIMGRID.match(header) and folder not in {"platforms", "sim"}:
                    wrong.append(f"{name}: SimGrid is used in platforms and sim only ({header})")
                elif header.split("/")[0] == "tests":
                    wrong.append(f"{name}: nothing uses tests ({header})")
                elif header.split("/")[0] in {"algorithms", "platforms", "sim", "emulator", "validation"} and header not in COMMON:
                    target = folder_of(header)
                    allowed = MAY_USE.get(folder, set())
                    if target != folder and not any(target == a or (a == "algorithms/" and (target.startswith(a) or target == "collectives")) for a in allowed):
                        wrong.append(f"{name}: {folder} may not use {target} ({header})")
    return wrong


def self_test() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        for name, header in (
            ("algorithms/schedule/a.hpp", "algorithms/network/network.hpp"),
            ("algorithms/topology/a.hpp", "algorithms/schedule/slice.hpp"),
            ("algorithms/broadcast/a.cpp", "algorithms/network/network.hpp"),
            ("algorithms/models/a.cpp", "mpi.h"),
            ("emulator/a.cpp", "simgrid/s4u.hpp"),
            ("sim/a.cpp", "validation/records/record.hpp"),
            ("validation/a.cpp", "tests/a.hpp"),
        ):
            file = source / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as out:
                out.write(f'#include "{header}"\n#include "algorithms/errors.hpp"\n#include <vector>\n')
        found = wrong_includes(source)
    return [] if len(found) == 7 else [f"7 planted includes, {len(found)} found: {found}"]


if __name__ == "__main__":
    problems = self_test() if sys.argv[1] == "--self-test" else wrong_includes(Path(sys.argv[1]))
    print("\n".join(problems) or "every include points the right way")
    sys.exit(bool(problems))
