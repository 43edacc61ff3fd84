#!/usr/bin/env python3
"""The automatic choice on drawn platforms, emulated, beside its replay and Open MPI's own collectives.

    validation/results/rates_emulated.py --experiment FOLDER/*.xml > rates-emulated.json
    isthmus validate rates-emulated.json --store rates-emulated.sqlite
    validation/results/rates_emulated.py rates-emulated.sqlite

The platforms are those of `platforms/measured/draw.py`. The last command prints a Markdown table: by size, how far the
emulated time is from the replay's (median, 95th percentile, worst), how much quicker the choice is than the better of
Open MPI's two (geometric mean, least), and how much quicker the lower bound is (geometric mean): no plan can gain more;
then the points at which the choice is not quicker. Exit status 1 if there are such
points or nothing is to be compared."""

import argparse
import json
import statistics
import sys
from collections import defaultdict

from speedups import geometric_mean, records, size_text

COLLECTIVES = "broadcast reduce allreduce allgather reduce_scatter_block gather scatter alltoall".split()
PLANS = "auto", "mpi:selector=tuned", "mpi:selector=han"


def experiment(platforms, sizes):
    return {
        "name": "rates-emulated",
        "title": "Plans for the rates of networks, emulated",
        "question": "Is the automatic choice as quick as its replay says, and quicker than Open MPI's own collectives?",
        "platforms": platforms,
        "algorithms": [f"{collective}/{plan}" for collective in COLLECTIVES for plan in PLANS],
        "sizes": sizes,
        "element_bytes": 8,
        "sources": ["replay", "emulated"],
        "reference": "emulated",
        "placement": "block",
        "timeout_s": 3600,
    }


def points_of(stores):
    """Seconds by platform, collective and size; of each by source and plan."""
    points = defaultdict(dict)
    for store in stores:
        for source in ("replay", "emulated"):
            for record in records(store, source):
                point = record["platform"], record["collective"], record["bytes"]
                points[point][source, record["requested"]] = record["seconds"]
                points[point]["bound"] = record["bound_seconds"]
    wanted = {("replay", "auto")} | {("emulated", plan) for plan in PLANS}
    return {point: times for point, times in points.items() if wanted <= times.keys()}


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="STORE", help="stores, or platforms with --experiment")
    parser.add_argument("--experiment", action="store_true", help="write an experiment for these platforms")
    parser.add_argument("--sizes", default="8,64Ki", help="of the experiment (%(default)s)")
    arguments = parser.parse_args()
    if arguments.experiment:
        json.dump(experiment(arguments.files, arguments.sizes), sys.stdout, indent=2)
        print()
        return
    points = points_of(arguments.files)
    if not points:
        sys.exit(f"{', '.join(arguments.files)}: no automatic choice, replayed and emulated, beside Open MPI's two")
    off, quicker, possible = defaultdict(list), defaultdict(list), defaultdict(list)
    slower = []
    for (platform, collective, size), times in sorted(points.items()):
        ours = times["emulated", "auto"]
        theirs = min(times["emulated", plan] for plan in PLANS[1:])
        gain = theirs / ours
        for group in ("all", collective):
            off[size, group].append(abs(ours / times["replay", "auto"] - 1))
            quicker[size, group].append(gain)
            possible[size, group].append(theirs / times["bound"])
        if gain < 1:
            slower.append(f"{platform}, {collective} of {size_text(size)}: {gain:.3f}")
    print(f"{len({platform for platform, _, _ in points})} platforms, {len(points)} points\n")
    print(
        "| size | collective | emulated against replay: median, 95th percentile, worst "
        "| quicker than the better of two: geometric mean, least | the bound allows |\n|---|---|---|---|---|"
    )
    for size in sorted({size for size, _ in off}):
        for group in ("all", *COLLECTIVES):
            if (size, group) in off:
                differences, gains = off[size, group], quicker[size, group]
                print(
                    f"| {size_text(size)} | {group} | {statistics.median(differences):.2%}, "
                    f"{percentile(differences, 0.95):.2%}, {max(differences):.2%} | "
                    f"{geometric_mean(gains):.2f}, {min(gains):.3f} | {geometric_mean(possible[size, group]):.2f} |"
                )
    print("\nNot quicker: " + ("; ".join(slower) or "none"))
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    main()
