#!/usr/bin/env python3
"""How long the automatic choice takes, in milliseconds, as Markdown tables.

    build/benchmarks/choice_time_benchmark --benchmark_repetitions=3 --benchmark_format=json > choice.json
    validation/results/choice.py choice.json

A table for each network: medians by collective and size, and how many choices take longer than half a second."""

import json
import sys

import pandas as pd

AIM_MS = 500


def size_text(size: int) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def main() -> int:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        runs = [one for one in json.load(file)["benchmarks"] if one.get("run_type") == "iteration"]
    frame = pd.DataFrame([[*one["run_name"].split("/")[:3], one["real_time"]] for one in runs])
    frame.columns = ["network", "collective", "size", "ms"]
    frame["size"] = frame["size"].astype(int)
    medians = frame.groupby(["network", "collective", "size"], sort=False).ms.median()
    for network, times in medians.groupby(level=0, sort=False):
        table = (
            times.droplevel(0).unstack().reindex(times.index.get_level_values("collective").unique()).sort_index(axis=1)
        )
        longer = int((times > AIM_MS).sum())
        print(f"{network}: {longer} of {len(times)} choices take longer than {AIM_MS} ms, {times.max():.0f} at most\n")
        print("| collective | " + " | ".join(size_text(size) for size in table.columns) + " |")
        print("|---" * (len(table.columns) + 1) + "|")
        for collective, row in table.iterrows():
            cells = ["" if pd.isna(ms) else f"{ms:.0f}" if ms >= 10 else f"{ms:.1f}" for ms in row]
            print(f"| {collective} | " + " | ".join(cells) + " |")
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
