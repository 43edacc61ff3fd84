#!/usr/bin/env python3
"""Speed-up of the automatic choice over the MPI's own collectives: a table from the stores of experiments.

    speedups.py STORE.sqlite... [--source emulated]

Reads the records of `isthmus validate validation/experiments/das-4x4-collectives*.json --store STORE.sqlite`.
Prints, for each placement, a Markdown table of milliseconds and of the speed-up against the best of the others, then
geometric means and the worst case. Exit status 1 when there is nothing to compare."""

import argparse
import json
import math
import sqlite3
import sys
from collections import defaultdict


def records(store, source):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        for (text,) in database.execute("SELECT record FROM records ORDER BY id"):
            record = json.loads(text)
            if record["source"] == source:
                yield record


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def size_text(size):
    for unit, factor in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


def report(placement, rows):
    others = sorted({who for times in rows.values() for who in times if who != "auto"})
    print(f"\nplacement {placement}\n")
    print(
        "| collective | size | bound | automatic choice | "
        + " | ".join(who.removeprefix("mpi:selector=") for who in others)
        + " | speed-up |\n|---|--:|--:|--:|"
        + "--:|" * len(others)
        + "--:|"
    )
    best, against = [], defaultdict(list)
    for (collective, size), times in rows.items():
        ours, bound = times["auto"]
        theirs = {who: times[who][0] for who in others if who in times}
        if not theirs:
            continue
        best.append((min(theirs.values()) / ours, f"{collective} of {size_text(size)}"))
        for who, seconds in theirs.items():
            against[who].append(seconds / ours)
        cells = [f"{bound * 1e3:.4g}", f"{ours * 1e3:.4g}"] + [
            f"{theirs[who] * 1e3:.4g}" if who in theirs else "" for who in others
        ]
        shown_size = size_text(size) if collective != "barrier" else ""
        print(f"| {collective} | {shown_size} | {' | '.join(cells)} | {best[-1][0]:.2f} |")
    for who in others:
        print(f"\ngeometric mean against {who.removeprefix('mpi:selector=')}: {geometric_mean(against[who]):.2f}")
    print(
        f"\ngeometric mean against the best of them: {geometric_mean([value for value, _ in best]):.2f}; "
        f"least: {min(best)[0]:.3f} ({min(best)[1]})"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("stores", nargs="+", metavar="STORE")
    parser.add_argument("--source", default="emulated")
    arguments = parser.parse_args()
    scenes = defaultdict(lambda: defaultdict(dict))
    for store in arguments.stores:
        for record in records(store, arguments.source):
            times = scenes[record["platform"], record["placement"]][record["collective"], record["bytes"]]
            times[record["requested"]] = record["seconds"], record["bound_seconds"]
    compared = {
        scene: {point: times for point, times in rows.items() if "auto" in times and len(times) > 1}
        for scene, rows in scenes.items()
    }
    if not any(compared.values()):
        sys.exit(f"{', '.join(arguments.stores)}: no automatic choice beside another from source {arguments.source}")
    for (platform, placement), rows in compared.items():
        if rows:
            collectives = list(dict.fromkeys(collective for collective, _ in rows))
            in_order = sorted(rows, key=lambda point: (collectives.index(point[0]), point[1]))
            report(f"{placement} on {platform}", {point: rows[point] for point in in_order})


if __name__ == "__main__":
    main()
