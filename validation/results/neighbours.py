#!/usr/bin/env python3
"""Exchange with neighbours on a grid of processes, with and without the drop-in's reordering, as a Markdown table.

    validation/results/neighbours.py [build/bin/isthmus [build/tests/drop_in/stencil]]

16 ranks on the emulated das-4x4 in virtual time. Debian's LAMMPS (package `lammps`), if it is installed, and
tests/drop_in/stencil.cpp. Takes about ten minutes, a minute without LAMMPS."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LAMMPS = Path("/usr/bin/lmp")
PLATFORM = "platforms/kielmann2000/das-4x4.xml"
# The file says nothing of the grid of processes.
MELT = "processors 4 2 2 map cart/reorder\n" + (Path(__file__).parent / "melt.in").read_text(encoding="utf-8")

INTRODUCTION = """# Neighbours on a grid

16 ranks on the emulated das-4x4 (10 ms and 1 MB/s between clusters), Open MPI 4.1.4, virtual time. Cyclic: ranks dealt
to the clusters in turn. Scattered: on a grid of 4 x 2 x 2 every neighbour is in another cluster. Squares: on a grid of
8 x 2 each cluster has 4 x 1 positions, half of one row. Seconds of communication between neighbours: LAMMPS's own row
`Comm` (20 steps of a Lennard-Jones melt of 6912 atoms), and the stencil's 20 exchanges of faces (a cube of 32 x 32 x 32
cells, periodic; on 8 x 2 positions of 96 x 96 x 96 with cold walls), after three that are not counted. Both columns are
under the drop-in: `ISTHMUS_REORDER=no`, then `coordinates` for LAMMPS and `ranks` for the stencil.
`validation/results/neighbours.py` prints this table, without LAMMPS where it is not installed.

LAMMPS exchanges one dimension after the other, so that each dimension within a cluster saves latencies. The stencil
sends all faces at once: what counts is the bytes on a link. MPI_Cart_create says nothing of either
(MPI_Dist_graph_create has weights, and they count). So the drop-in replays both ways of exchanging, with short blocks
and with the faces of a cube, and takes another order only where none of them is more than 2 % slower.
"""


def squares() -> list[str]:
    """Hosts by rank, such that each cluster has 4 x 1 positions of a grid of 8 x 2."""
    used = [0] * 4
    hosts = []
    for rank in range(16):
        cluster = rank // 8 * 2 + rank % 2
        hosts.append(f"c{cluster}-{used[cluster]}")
        used[cluster] += 1
    return hosts


def scattered() -> list[str]:
    """Hosts by rank, such that every neighbour of a rank of the grid, in each dimension, is in another cluster."""
    used = [0] * 4
    hosts = []
    for x in range(4):
        for y in range(2):
            for z in range(2):
                cluster = (x + y + 2 * z) % 4
                hosts.append(f"c{cluster}-{used[cluster]}")
                used[cluster] += 1
    return hosts


def run(isthmus: str, placement: str, settings: dict[str, str], program: list[str]) -> str:
    command = [isthmus, "run", PLATFORM, "--mpi", "openmpi", "--ranks", "16", "--placement", placement]
    command += ["--timeout", "600", "--drop-in", "--", *program]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "ISTHMUS_REPORT": "1"} | settings
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return done.stdout + done.stderr


def edges(output: str) -> str:
    found = re.search(r"reordered: (\d+) edges between sites, not (\d+)", output)
    return f"{found[2]} to {found[1]}" if found else "as it was"


def lammps(isthmus: str, folder: Path, placement: str, reorder: str) -> tuple[float, str, str]:
    """Seconds of communication between neighbours, energies, edges between sites."""
    file = folder / "melt.in"
    file.write_text(MELT, encoding="utf-8")
    output = run(isthmus, placement, {"ISTHMUS_REORDER": reorder}, [str(LAMMPS), "-in", str(file), "-log", "none"])
    row = re.search(r"^Comm +\| \S+ +\| (\S+)", output, re.M)
    energies = " ".join(re.findall(r"^ +\d+ +\S+ +\S+ +\S+ +(\S+) ", output, re.M))
    if not row or not energies:
        raise RuntimeError(output)
    return float(row[1]), energies, edges(output)


def stencil(isthmus: str, program: list[str], placement: str, reorder: str) -> tuple[float, str, str]:
    output = run(isthmus, placement, {"ISTHMUS_REORDER": reorder}, program)
    found = re.search(r"sum (\S+) exchange (\S+) s", output)
    if not found:
        raise RuntimeError(output)
    return float(found[2]), found[1], edges(output)


def compare(what: str, placement: str, plain: tuple[float, str, str], reordered: tuple[float, str, str]) -> None:
    same = "same" if plain[1] == reordered[1] else "DIFFERENT"
    print(
        f"| {what} | {placement} | {reordered[2]} | {plain[0]:.3f} | {reordered[0]:.3f} |"
        f" {plain[0] / reordered[0]:.2f} | {same} |",
        flush=True,
    )


def main() -> int:
    isthmus = sys.argv[1] if len(sys.argv) > 1 else "build/bin/isthmus"
    program = str(Path(sys.argv[2] if len(sys.argv) > 2 else "build/tests/drop_in/stencil").resolve())
    print(INTRODUCTION)
    print("| program | placement | edges between clusters | plain, s | reordered, s | times as fast | results |")
    print("|---|---|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory(dir=".") as temporary:
        folder = Path(temporary)
        for name, hosts in (("scattered", scattered()), ("squares", squares())):
            (folder / name).write_text("\n".join(hosts) + "\n", encoding="utf-8")
        for name, placement in (("cyclic", "cyclic"), ("scattered", str(folder / "scattered"))):
            if LAMMPS.exists():
                plain = lammps(isthmus, folder, placement, "no")
                compare("LAMMPS", name, plain, lammps(isthmus, folder, placement, "coordinates"))
            for how in ("messages", "neighbours"):
                face = [program, "32", "20", how, "4", "2", "2"]
                plain = stencil(isthmus, face, placement, "no")
                compare(f"stencil 4 x 2 x 2, {how}", name, plain, stencil(isthmus, face, placement, "ranks"))
        for name, placement in (("cyclic", "cyclic"), ("squares", str(folder / "squares"))):
            face = [program, "96", "20", "messages", "8", "2", "1", "open"]
            plain = stencil(isthmus, face, placement, "no")
            compare("stencil 8 x 2, messages", name, plain, stencil(isthmus, face, placement, "ranks"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
