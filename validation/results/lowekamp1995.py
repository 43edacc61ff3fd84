#!/usr/bin/python3
"""Table 3 of Lowekamp 1995: a broadcast of 16000 bytes on eight workstations on three bridged Ethernet segments.

    validation/results/lowekamp1995.py STORE

Prints Markdown from the store that `isthmus validate` of experiments/lowekamp1995*.json has filled: the paper's mean
(with its standard deviation), median and minimum beside those of the simulation and of the emulated network, with and
without other people's traffic.
"""
import json
import sqlite3
import statistics
import sys

# Seconds: mean, median, minimum.
PAPER = {
    "eco:segment=none": ("ECO", 0.119, 0.0651, 0.0614),
    "k-ary:degree=2": ("tree (k = 2)", 0.174, 0.128, 0.104),
    "k-ary:degree=3": ("tree (k = 3)", 0.162, 0.122, 0.104),
    "linear:segment=none": ("star", 0.141, 0.109, 0.104),
}


def milliseconds(seconds):
    return f"{1e3 * seconds:.1f}"


def figures(record):
    """Mean, median, minimum of a record's repetitions."""
    times = record["repetition_seconds"]
    return tuple(map(milliseconds, (statistics.fmean(times), statistics.median(times), min(times))))


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: lowekamp1995.py STORE")
    rows = [
        json.loads(row[0])
        for row in sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute("SELECT record FROM records")
    ]
    quiet, busy = {}, {}
    for record in rows:
        if record["platform"] == "three-segments" and "repetition_seconds" in record:
            (busy if "conditions" in record["settings"] else quiet)[record["source"], record["requested"]] = record
    print("| broadcast | | paper: mean, median, least | source | alone | traffic: mean, median, least |")
    print("|---|---|--:|---|--:|--:|")
    for plan, (name, *paper) in PAPER.items():
        for source in ("smpi", "emulated"):
            alone, among = quiet.get((source, plan)), busy.get((source, plan))
            print(
                f"| {name} | {plan} | {', '.join(map(milliseconds, paper))} | {source} | "
                f"{milliseconds(alone['seconds']) if alone else ''} | {', '.join(figures(among)) if among else ''} |"
            )


if __name__ == "__main__":
    main()
