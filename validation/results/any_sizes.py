#!/usr/bin/env python3
"""gatherv, scatterv and alltoallv of an unchanged program under the drop-in and without, as a Markdown table.

    validation/results/any_sizes.py [build/bin/isthmus [build/tests/drop_in/any_sizes]]

Emulated networks in virtual time, a rank on each host. Takes about five minutes."""

import re
import statistics
import subprocess
import sys

PLATFORMS = ("plain/five-sites", "plain/slow-and-far", "kielmann2000/das-4x4")
CALLS = (("alltoallv", 1 << 18, "256 KiB"), ("gatherv", 1 << 20, "1 MiB"), ("scatterv", 1 << 20, "1 MiB"))
REPETITIONS = 9

INTRODUCTION = """# Blocks of any sizes under the drop-in

In gatherv, scatterv and alltoallv a rank of MPI passes the sizes of its own blocks alone, so that others cannot pass
them on. Where the drop-in knows the network and a plan for its rates saves a fifth of the time or more, ranks tell each
other all sizes before each blocking call; whether it does shows at the second call, and again at the fourth, eighth ...
(`algorithms/mpi/drop_in/README.md`).

Milliseconds on emulated networks, Open MPI 4.1.4, virtual time, a rank on each host. The blocks of
`tests/drop_in/any_sizes.cpp` have other sizes in each call, from half the average to one and a half times it; the
program checks all data. First: the first call, in which blocks go straight. Others: the median of the calls from the
third on, with what telling the sizes takes. `validation/results/any_sizes.py` prints this page up to the first table.
"""


def call_times_ms(isthmus: str, platform: str, program: list[str], drop_in: bool) -> list[float]:
    """The times of the program's calls on an emulated platform."""
    command = [isthmus, "run", f"platforms/{platform}.xml", *(["--drop-in"] if drop_in else []), "--", *program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or "all blocks right" not in done.stdout:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return [1e3 * float(seconds) for seconds in re.findall(r"call \d+: ([\d.]+) s", done.stdout)]


def main() -> None:
    """Prints the page."""
    defaults = ["build/bin/isthmus", "build/tests/drop_in/any_sizes"]
    isthmus, program = [*sys.argv[1:], *defaults[len(sys.argv) - 1 :]]
    print(INTRODUCTION)
    print("| platform | call | MPI, first | others | drop-in, first | others | MPI / drop-in |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for platform in PLATFORMS:
        for collective, size, words in CALLS:
            arguments = [program, collective, str(size), str(REPETITIONS)]
            mpi = call_times_ms(isthmus, platform, arguments, drop_in=False)
            own = call_times_ms(isthmus, platform, arguments, drop_in=True)
            others = statistics.median(mpi[2:]), statistics.median(own[2:])
            cells = [f"{value:.4g}" for value in (mpi[0], others[0], own[0], others[1])]
            row = [platform.split("/")[1], f"{collective} of {words}", *cells, f"{others[0] / others[1]:.2f}"]
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
