"""Checks that every name of isthmus is defined once: compiles all headers of a program together.

Two headers that define one name each compile alone, and a program of both is undefined behaviour without a word from
the linker. MPI's headers and SimGrid's never meet in one program, so there are two worlds: `mpi`, everything but the
headers that need SimGrid; `smpi`, what the simulators are made of.
Definitions that no header shows are compared by the preset `one-definition`, which links with -flto -Werror=odr.
Usage: one_definition.py SOURCE_FOLDER mpi|smpi COMPILER FLAG ... | --self-test COMPILER. Exit status 1 when a name is
defined twice.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

WORLDS = {
    "mpi": ("algorithms", "platforms", "sim", "emulator", "validation"),
    "smpi": ("algorithms", "platforms", "sim"),
}
DROP_IN = "algorithms/mpi/drop_in/"  # never simulated
NEEDS_SIMGRID = re.compile(r"^#include <(simgrid/|xbt/)|^namespace simgrid", re.M)


def headers(source: Path, world: str) -> list[str]:
    """The headers that may meet in one program of this world, relative to the source folder."""
    found = []
    for folder in WORLDS[world]:
        for file in sorted((source / folder).rglob("*.h*")):
            name = file.relative_to(source).as_posix()
            if file.suffix not in {".h", ".hpp"}:
                continue
            if name.startswith(DROP_IN) if world == "smpi" else NEEDS_SIMGRID.search(file.read_text()):
                continue
            found.append(name)
    return found


def errors_of(source: Path, names: list[str], command: list[str]) -> str:
    """The compiler's errors for a file that includes these headers; empty if it compiles."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all_headers.cpp"
        file.write_text("".join(f'#include "{name}"\n' for name in names))
        flags = ["-std=c++20", "-fsyntax-only", f"-I{source}"]
        done = subprocess.run([*command, *flags, str(file)], capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else ""


def self_test(compiler: str) -> int:
    """Two headers with one name are found; one that is included twice is not."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder)
        (source / "a.hpp").write_text("#pragma once\nnamespace n { struct Twice { int a; }; }\n")
        (source / "b.hpp").write_text("#pragma once\nnamespace n { class Twice { char b[9]; }; }\n")
        found = errors_of(source, ["a.hpp", "b.hpp"], [compiler])
        quiet = errors_of(source, ["a.hpp", "a.hpp"], [compiler])
    if "redefinition" not in found or quiet:
        print(f"the check does not see a name that is defined twice:\n{found}{quiet}")
        return 1
    return 0


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--self-test"]:
        return self_test(arguments[1])
    source, world, command = Path(arguments[0]), arguments[1], arguments[2:]
    names = headers(source, world)
    if len(names) < 50:
        print(f"only {len(names)} headers found in {source}")
        return 1
    errors = errors_of(source, names, command)
    print(errors or f"{len(names)} headers, every name is defined once")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
