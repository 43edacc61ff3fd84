#!/usr/bin/env python3
"""Exchange with neighbours on a grid of processes, with and without the drop-in's reordering, as a Markdown table.

    validation/results/neighbours.py [build/bin/isthmus [build/tests/drop_in/stencil]]

16 ranks on the emulated das-4x4 in virtual time, on a periodic grid of 4 x 2 x 2. Debian's LAMMPS (package `lammps`)
and tests/drop_in/stencil.cpp. Takes about ten minutes."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PLATFORM = "platforms/kielmann2000/das-4x4.xml"
# The file says nothing of the grid of processes.
MELT = "processors 4 2 2 map cart/reorder\n" + (Path(__file__).parent / "melt.in").read_text(encoding="utf-8")

INTRODUCTION = """# Neighbours on a grid

16 ranks on the emulated das-4x4 (10 ms and 1 MB/s between clusters), Open MPI 4.1.4, virtual time, a periodic grid of
4 x 2 x 2 processes. Cyclic: ranks dealt to the clusters in turn; two dimensions cross the wide area. Scattered: every
neighbour is in another cluster, in all three. Seconds of communication between neighbours: LAMMPS's own row `Comm` (20
steps of a Lennard-Jones melt of 6912 atoms), and the stencil's 20 exchanges of faces (a cube of 32 x 32 x 32 cells).
Both columns are under the drop-in: `ISTHMUS_REORDER=no`, then `coordinates` for LAMMPS and `ranks` for the stencil.
`validation/results/neighbours.py` prints this table.

LAMMPS exchanges one dimension after the other, so that each dimension within a cluster saves latencies. The stencil
sends all faces at once: what counts is the bytes on a link. With ranks dealt cyclically these stay as they are, since
the faces across the dimension of four, which are the ones cut then, are twice as large as the others; MPI_Cart_create
says nothing of sizes (MPI_Dist_graph_create has weights, and they count).
"""


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
    output = run(isthmus, placement, {"ISTHMUS_REORDER": reorder}, ["/usr/bin/lmp", "-in", str(file), "-log", "none"])
    row = re.search(r"^Comm +\| \S+ +\| (\S+)", output, re.M)
    energies = " ".join(re.findall(r"^ +\d+ +\S+ +\S+ +\S+ +(\S+) ", output, re.M))
    if not row or not energies:
        raise RuntimeError(output)
    return float(row[1]), energies, edges(output)


def stencil(isthmus: str, program: str, placement: str, settings: dict[str, str], how: str) -> tuple[float, str, str]:
    output = run(isthmus, placement, settings, [program, "32", "20", how, "4", "2", "2"])
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
        file = folder / "scattered.txt"
        file.write_text("\n".join(scattered()) + "\n", encoding="utf-8")
        for name, placement in (("cyclic", "cyclic"), ("scattered", str(file))):
            plain = lammps(isthmus, folder, placement, "no")
            compare("LAMMPS", name, plain, lammps(isthmus, folder, placement, "coordinates"))
            for how in ("messages", "neighbours"):
                plain = stencil(isthmus, program, placement, {"ISTHMUS_REORDER": "no"}, how)
                reordered = stencil(isthmus, program, placement, {"ISTHMUS_REORDER": "ranks"}, how)
                compare(f"stencil, {how}", name, plain, reordered)
    return 0


if __name__ == "__main__":
    sys.exit(main())
