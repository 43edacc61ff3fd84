#!/usr/bin/env python3
"""How long `isthmus explain` takes, in milliseconds, as Markdown tables.

    build/benchmarks/choice_time_benchmark --mesh mesh-8.json
    validation/results/explain_times.py platforms/kielmann2000/das-8x8.xml platforms/kielmann2000/das-4x16.xml \\
        mesh-8.json [--isthmus build/bin/isthmus] [--runs 3] [--first "chrt -r 1"]

A table for each platform: the median of the whole command's time by collective and size, and how many take longer than
half a second. --first: what the command runs under."""

import argparse
import pathlib
import statistics
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COLLECTIVES = ("allreduce", "reduce", "allgather", "alltoall", "reduce_scatter_block")
SIZES = ("1Ki", "64Ki", "1Mi", "16Mi")
AIM_MS = 500


def milliseconds(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("platforms", nargs="+")
    parser.add_argument("--isthmus", default=str(ROOT / "build/bin/isthmus"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--first", default="")
    arguments = parser.parse_args()
    for platform in arguments.platforms:
        rows, all_ms = [], []
        for collective in COLLECTIVES:
            command = [*arguments.first.split(), arguments.isthmus, "explain", platform, collective, "--quiet"]
            medians = [
                statistics.median(milliseconds([*command, "--bytes", size]) for _ in range(arguments.runs))
                for size in SIZES
            ]
            rows.append(f"| {collective} | " + " | ".join(f"{ms:.0f}" for ms in medians) + " |")
            all_ms += medians
        longer = sum(ms > AIM_MS for ms in all_ms)
        name = pathlib.Path(platform).stem
        print(f"{name}: {longer} of {len(all_ms)} take longer than {AIM_MS} ms, {max(all_ms):.0f} at most\n")
        print("| collective | " + " | ".join(f"{size}B" for size in SIZES) + " |")
        print("|---" * (len(SIZES) + 1) + "|")
        print("\n".join(rows) + "\n", flush=True)


if __name__ == "__main__":
    main()
