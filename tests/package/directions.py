#!/usr/bin/python3
"""Checks the rooms (folders) of the source: which may include which, their size, and where facts about algorithms are.

Reads every #include of the project's own headers, of MPI and of SimGrid, and lists those in a forbidden direction.
Usage: directions.py SOURCE_FOLDER | --self-test. Prints the graph of uses, then the errors; exit status 1 if there are
any.
"""

import re
import sys
import tempfile
from pathlib import Path

# Each room with the rooms that it may use; these come earlier in the list, so there is no cycle. `algorithms` alone is
# the top of that folder, the catalogue. `collectives` stands for broadcast, reduce and so on.
BASE = ("text", "process", "json")
IDEA = ("schedule", "topology", "relays", "collective", "patterns")
ROOMS = {
    "algorithms/text": [],
    "algorithms/process": ["text"],
    "algorithms/json": ["text", "process"],
    "algorithms/schedule": [],
    "algorithms/topology": ["text", "json"],
    "algorithms/mapping": ["topology"],
    "algorithms/relays": ["schedule", "topology"],
    "algorithms/collective": ["text", "schedule", "topology", "relays"],
    "algorithms/patterns": ["text", "schedule", "topology", "collective"],
    "algorithms/packed": ["text", "schedule", "topology", "collective", "patterns"],
    "collectives": ["schedule", "topology", "collective", "patterns", "packed"],
    "algorithms": ["text", "collective", "collectives"],
    "algorithms/neighbourhood": ["topology", "mapping", "collective", "schedule"],
    "algorithms/network": [*BASE, "topology"],
    "algorithms/channels": [*BASE, "topology"],
    "algorithms/replay": ["text", "schedule", "topology", "relays", "network"],
    "algorithms/ways": ["text"],
    "algorithms/models": ["text", "schedule", "topology", "collective", "network"],
    "algorithms/bounds": ["topology", "collective", "network", "ways"],
    "algorithms/synthesis": ["text", "process", "schedule", "topology", "collective", "network", "ways"],
    "algorithms/measuring": [*BASE, "topology", "network", "models"],
    "algorithms/tuning/trials": [
        *BASE,
        *IDEA,
        "packed",
        "algorithms",
        "network",
        "replay",
        "synthesis",
    ],
    "algorithms/tuning": [
        *BASE,
        *IDEA,
        "mapping",
        "neighbourhood",
        "collectives",
        "algorithms",
        "network",
        "replay",
        "models",
        "synthesis",
        "measuring",
        "tuning/trials",
    ],
    "algorithms/forwarding": [*BASE, "network"],
    "isthmus.hpp": ["algorithms/*"],
    "algorithms/mpi/executor": ["schedule"],
    "algorithms/mpi/library": [
        *BASE,
        *IDEA,
        "mapping",
        "neighbourhood",
        "algorithms",
        "network",
        "channels",
        "replay",
        "models",
        "measuring",
        "tuning",
        "mpi/executor",
    ],
    "algorithms/mpi/discovery": [*BASE, "network", "measuring", "mpi/executor", "mpi/library"],
    "algorithms/mpi/drop_in": [
        "text",
        "process",
        "collective",
        "network",
        "forwarding",
        "measuring",
        "mpi/executor",
        "mpi/library",
        "mpi/discovery",
    ],
    "algorithms/mpi/job": [
        *BASE,
        *IDEA,
        "algorithms",
        "network",
        "models",
        "measuring",
        "tuning",
        "mpi/executor",
        "mpi/library",
        "mpi/discovery",
    ],
    "platforms": ["algorithms/*"],
    "sim": ["algorithms/*"],
    "emulator/plan": ["algorithms/*"],
    "emulator/protocol": ["algorithms/*", "emulator/plan"],
    "emulator/substrates": ["algorithms/*", "emulator/plan", "emulator/protocol"],
    "emulator/client": ["algorithms/*", "emulator/plan", "emulator/protocol", "emulator/substrates"],
    "emulator/agent/containers": ["algorithms/*", "emulator/plan", "emulator/protocol"],
    "emulator/agent/links": ["algorithms/*", "emulator/plan", "emulator/protocol", "emulator/agent/containers"],
    "emulator/agent": [
        "algorithms/*",
        "emulator/plan",
        "emulator/protocol",
        "emulator/agent/containers",
        "emulator/agent/links",
    ],
    "validation/records": ["algorithms/*"],
    "validation/text": ["algorithms/*", "validation/records"],
    "validation/harness": ["algorithms/*", "platforms", "sim", "emulator/*", "validation/records", "validation/text"],
    "validation/studies": [
        "algorithms/*",
        "platforms",
        "sim",
        "emulator/*",
        "validation/records",
        "validation/text",
        "validation/harness",
    ],
    "validation/report": ["algorithms/*", "validation/records", "validation/text", "validation/harness"],
    "validation/channels": ["algorithms/*", "validation/report"],
    "validation/command_line": ["algorithms/*", "platforms", "sim", "emulator/*", "validation/*"],
    "python": ["algorithms/*", "platforms", "sim", "emulator/*", "validation/*"],
}
# Every room may use these.
COMMON = {"algorithms/errors.hpp", "algorithms/memory.hpp"}
MAX_SOURCES = 15  # beside each other in a room
MPI = re.compile(r"^mpi\.h$")
SIMGRID = re.compile(r"^(simgrid|smpi|xbt)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.M)
TOPS = ("algorithms", "platforms", "sim", "emulator", "validation", "python")


def room_of(path: str) -> str:
    """The room that a file path, relative to the source folder, belongs to."""
    if path == "algorithms/isthmus.hpp":
        return "isthmus.hpp"
    folder = path.rsplit("/", 1)[0]
    while folder not in ROOMS and "/" in folder:
        if folder.startswith("algorithms/") and folder.count("/") == 1:
            return "collectives"
        folder = folder.rsplit("/", 1)[0]
    return folder


def may_use(room: str, target: str) -> bool:
    for allowed in ROOMS.get(room, []):
        if allowed.endswith("/*"):
            top = allowed[:-2]
            if target == top or target.startswith(top + "/") or (top == "algorithms" and target == "collectives"):
                return True
        elif target in (allowed, f"algorithms/{allowed}"):
            return True
    return False


def sources(source: Path, suffixes: set[str]) -> list[Path]:
    return [file for top in TOPS for file in sorted((source / top).rglob("*")) if file.suffix in suffixes]


def circles() -> list[str]:
    """Rooms that may use one that does not come before them."""
    rooms = list(ROOMS)
    return [
        f"{room} may use {later}, which does not stand before it"
        for number, room in enumerate(rooms)
        for later in rooms[number + 1 :]
        if later in ROOMS[room] or f"{later.removeprefix('algorithms/')}" in ROOMS[room]
    ]


def wrong_includes(source: Path, graph: dict[str, set[str]]) -> list[str]:
    wrong = []
    for file in sources(source, {".hpp", ".cpp", ".h", ".c"}):
        name = file.relative_to(source).as_posix()
        room = room_of(name)
        for header in INCLUDE.findall(file.read_text()):
            if MPI.match(header) and not (room.startswith("algorithms/mpi/") or room == "sim"):
                wrong.append(f"{name}: MPI is used in algorithms/mpi only ({header})")
            elif SIMGRID.match(header) and room not in {"platforms", "sim"}:
                wrong.append(f"{name}: SimGrid is used in platforms and sim only ({header})")
            elif header.split("/")[0] == "tests":
                wrong.append(f"{name}: nothing uses tests ({header})")
            elif header.split("/")[0] in TOPS and header not in COMMON:
                target = room_of(header)
                if target == room:
                    continue
                graph.setdefault(room, set()).add(target)
                if not may_use(room, target):
                    wrong.append(f"{name}: {room} may not use {target} ({header})")
    return wrong


# The only files that may compare names: the tables of facts.
TABLES = re.compile(
    r"^algorithms/\w+/table\.cpp$|^algorithms/patterns/tree_broadcast\.cpp$|^emulator/substrates/substrate\.cpp$"
)
ROW = re.compile(r'\{(?:Collective::\w+|collective), "([\w-]+)"')


def comparisons_with_names(source: Path) -> list[str]:
    """Comparisons with names of algorithms or substrates outside their tables: use a field of the row instead."""
    names = {"mpi", "native", "virtual", "uml", "delay-line"}
    for table in (source / "algorithms").glob("*/table.cpp"):
        names |= set(ROW.findall(table.read_text()))
    compared = re.compile(r'(?:[=!]=\s*"(' + "|".join(sorted(names)) + r')"|\bid\.starts_with\()')
    wrong = []
    for file in sources(source, {".hpp", ".cpp"}):
        name = file.relative_to(source).as_posix()
        if TABLES.match(name):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if compared.search(line):
                wrong.append(f"{name}:{number}: asks for a name; a field of its row would be right: {line.strip()}")
    return wrong


def large_rooms(source: Path) -> list[str]:
    folders: dict[str, int] = {}
    for file in sources(source, {".cpp", ".c"}):
        folder = file.parent.relative_to(source).as_posix()
        folders[folder] = folders.get(folder, 0) + 1
    return [
        f"{folder}: {number} source files beside each other, at most {MAX_SOURCES}"
        for folder, number in folders.items()
        if number > MAX_SOURCES
    ]


def self_test() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        for name, header in (
            ("algorithms/schedule/a.hpp", "algorithms/network/network.hpp"),
            ("algorithms/topology/a.hpp", "algorithms/schedule/slice.hpp"),
            ("algorithms/broadcast/a.cpp", "algorithms/network/network.hpp"),
            ("algorithms/models/a.cpp", "mpi.h"),
            ("algorithms/mpi/executor/a.cpp", "algorithms/mpi/library/request.hpp"),
            ("emulator/client/a.cpp", "simgrid/s4u.hpp"),
            ("emulator/client/b.cpp", "emulator/agent/agent.hpp"),
            ("sim/a.cpp", "validation/records/record.hpp"),
            ("validation/text/a.cpp", "tests/a.hpp"),
        ):
            file = source / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a") as out:
                out.write(f'#include "{header}"\n#include "algorithms/errors.hpp"\n#include <vector>\n')
        found = wrong_includes(source, {})
    return [] if len(found) == 9 else [f"9 planted includes, {len(found)} found: {found}"]


def main() -> int:
    if sys.argv[1] == "--self-test":
        problems = self_test()
    else:
        graph: dict[str, set[str]] = {}
        source = Path(sys.argv[1])
        problems = circles() + wrong_includes(source, graph) + large_rooms(source) + comparisons_with_names(source)
        for room in ROOMS:
            if room in graph:
                print(f"{room} -> {', '.join(sorted(graph[room]))}")
    print("\n".join(problems) or "every include points the right way")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
