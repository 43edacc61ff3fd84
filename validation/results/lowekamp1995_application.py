#!/usr/bin/env python3
"""Tables 4 to 7 of Lowekamp 1995: the communication of a molecular dynamics program under several patterns.

    validation/results/lowekamp1995_application.py [--isthmus build/bin/isthmus] [--only TABLE] [--steps 80]

Runs tests/drop_in/lennard_jones.cpp (replicated data: a gather to all and a reduction to all a step, and broadcasts)
under the drop-in on the emulated network, once for each communication pattern, and prints what it spends in collectives
as Markdown, beside the paper's figures for CHARMM (tables 4 to 6, minutes) and Dome (table 7, seconds). `--simulate`
prints the two large collectives of a step under SMPI instead, which takes a minute."""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORMS = ROOT / "platforms" / "lowekamp1995"
STAR = 64  # a degree above the number of ranks


def tree(degree):
    plan = f"k-ary:degree={degree}"
    return {"broadcast": plan, "allreduce": plan, "allgatherv": plan}


def same(plan):
    return {"broadcast": plan, "allreduce": plan, "allgatherv": plan}


ECO = same("eco")
BUTTERFLY = {"broadcast": "binomial", "allreduce": "recursive-doubling", "allgatherv": "recursive-doubling"}
ATOMS = 500
EIGHT_ALPHAS = {
    "ECO": ECO,
    "tree (k = 2)": tree(2),
    "tree (k = 3)": tree(3),
    "star": tree(STAR),
    "butterfly": BUTTERFLY,
}
LOW = {"ECO": 2.1, "tree (k = 2)": 2.7, "tree (k = 3)": 2.3, "star": 2.7, "butterfly": 3.0}
HIGH = {"ECO": 13.9, "tree (k = 2)": 18.7, "tree (k = 3)": 21.6, "butterfly": 16.6}
# By table: platform, conditions, placement, patterns; the paper's means by pattern, and their unit.
TABLES = {
    "4": (
        "three-segments.xml",
        "ambient-traffic.json",
        "cyclic",
        EIGHT_ALPHAS,
        LOW,
        "minutes",
    ),
    "5": (
        "three-segments.xml",
        "ambient-traffic-high.json",
        "cyclic",
        EIGHT_ALPHAS,
        HIGH,
        "minutes",
    ),
    # The same with ranks and traffic that were sought until the patterns had the order of the paper.
    "4 sought": (
        "three-segments.xml",
        "ambient-traffic.json",
        PLATFORMS / "ranks-of-table-4",
        EIGHT_ALPHAS,
        LOW,
        "minutes",
    ),
    "5 sought": (
        "three-segments.xml",
        "ambient-traffic-of-table-5.json",
        PLATFORMS / "ranks-of-table-5",
        EIGHT_ALPHAS,
        HIGH,
        "minutes",
    ),
    "6": (
        "indys.xml",
        "",
        "block",
        {
            "ECO (k = 2)": same("eco:patterns=k-ary-2"),
            "ECO (k = 3)": same("eco:patterns=k-ary-3"),
            "ECO, pattern chosen": ECO,
            "butterfly": BUTTERFLY,
        },
        {"ECO (k = 2)": 1.08, "ECO (k = 3)": 3.28, "butterfly": 0.82},
        "minutes",
    ),
    "7": (
        "dome.xml",
        "",
        "block",
        {"ECO": ECO, "tree (k = 4)": tree(4), "star": tree(STAR), "ring": tree(1)},
        {"ECO": 63.0, "tree (k = 4)": 148.1, "star": 153.5, "ring": 414.2},
        "seconds",
    ),
}


def simulated_ms(arguments, platform, conditions, placement, plans, ranks):
    """Milliseconds of the gather to all of positions and the reduction to all of forces."""
    total = 0
    for collective, plan, size in (
        ("allgather", plans["allgatherv"], 24 * ATOMS // ranks),
        ("allreduce", plans["allreduce"], 24 * ATOMS + 8),
    ):
        whole = "" if plan == BUTTERFLY["allreduce"] else (",segment=none" if ":" in plan else ":segment=none")
        command = [arguments.isthmus, "simulate", str(PLATFORMS / platform), f"{collective}/{plan}{whole}"]
        command += ["--bytes", str(size), "--placement", str(placement), "--format", "json"]
        if conditions:
            command += ["--conditions", str(PLATFORMS / conditions), "--repetitions", "100"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        record = json.loads(done.stdout.splitlines()[0])
        total += statistics.fmean(record.get("repetition_seconds") or [record["seconds"]])
    return 1e3 * total


def emulated_ms(arguments, platform, conditions, placement, plans):
    command = [arguments.isthmus, "run", str(PLATFORMS / platform), "--drop-in", "--substrate", "virtual"]
    command += ["--placement", str(placement)]
    if conditions:
        command += ["--conditions", str(PLATFORMS / conditions)]
    command += ["--", str(ROOT / "build/tests/drop_in/lennard_jones"), "5", str(arguments.steps)]
    settings = {f"ISTHMUS_{collective.upper()}": plan for collective, plan in plans.items()}
    done = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, check=False)
    found = re.search(r"drift small communication_s ([0-9.]+)", done.stdout)
    if done.returncode != 0 or found is None:
        sys.exit(f"{settings} {' '.join(command)}: {done.stdout}{done.stderr}")
    return 1e3 * float(found[1]) / arguments.steps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--isthmus", default=str(ROOT / "build/bin/isthmus"))
    parser.add_argument("--only", choices=TABLES)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--simulate", action="store_true")
    arguments = parser.parse_args()
    world = "SMPI" if arguments.simulate else "emulated"
    print(f"| table | pattern | paper | over the first | {world}, ms a step | over the first |")
    print("|---|---|--:|--:|--:|--:|")
    for table, (platform, conditions, placement, patterns, paper, unit) in TABLES.items():
        if arguments.only not in (None, table):
            continue
        first = 0.0
        for name, plans in patterns.items():
            if arguments.simulate:
                ranks = 20 if table == "7" else 8
                ms = simulated_ms(arguments, platform, conditions, placement, plans, ranks)
            else:
                ms = emulated_ms(arguments, platform, conditions, placement, plans)
            first = first or ms
            theirs = paper.get(name)
            reference = next(iter(paper.values()))
            there = f"{theirs} {unit} | {theirs / reference:.2f}" if theirs else " | "
            print(f"| {table} | {name} | {there} | {ms:.1f} | {ms / first:.2f} |", flush=True)


if __name__ == "__main__":
    main()
