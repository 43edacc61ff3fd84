#!/usr/bin/env python3
"""The automatic choice on platforms without isthmus's properties: predicted and measured seconds, and its messages.

    isthmus validate validation/experiments/plain.json --store plain.sqlite
    validation/results/plain.py plain.sqlite [--isthmus build/bin/isthmus] [--only NAME]

Reads the records of the first command. For each platform, collective and size: the plan chosen, its predicted and
measured seconds and their difference, its messages, and the fewest messages of any known plan within 1 % of the
quickest. Known plans are the chosen one and those that `isthmus tune` tries, for elements of 1 byte, and the best of
them with further segments. Prints a Markdown table and the worst cases; exit status 1 if a prediction is more than 3 %
off or a plan has more than 1.5 times the fewest messages."""

import argparse
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLOSE, BETWEEN = 1.01, (1.15, 1.3, 1.45, 1.6, 1.75, 1.9)
COLLECTIVES, SIZES = ["broadcast", "allreduce", "alltoall"], "8,64Ki,1Mi"
MAX_ERROR, MAX_MESSAGES = 0.03, 1.5


def lines_of(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def bytes_of(text):
    units = {"Ki": 1 << 10, "Mi": 1 << 20}
    return int(text[:-2]) * units[text[-2:]] if text[-2:] in units else int(text)


def longer_segments(line, fewest, element_bytes):
    """The plan with segments between its own and twice its own, if these give fewer messages."""
    found = re.search(r"segment=(\d\w*)", line["plan"])
    if not found:
        return []
    longer = (
        int(bytes_of(found.group(1)) * factor) // element_bytes * element_bytes
        for factor in BETWEEN
        if line["messages"] / factor < fewest
    )
    return [line["plan"].replace(found.group(0), f"segment={segment}") for segment in longer]


def timed(program, platform, collective, plan, size, element_bytes):
    (record,) = lines_of(
        program,
        "predict",
        platform,
        f"{collective}/{plan}",
        "--bytes",
        size,
        "--element-bytes",
        element_bytes,
        "--model",
        "replay",
        "--format",
        "json",
    )
    return record["seconds"], record["messages"]


def decisions(program, platform):
    """{(collective, bytes): the plans that the automatic choice tries, with seconds and messages}"""
    with tempfile.NamedTemporaryFile(suffix=".json") as table:
        subprocess.run(
            [program, "tune", platform, *COLLECTIVES, "--bytes", SIZES, "-o", table.name],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        found = json.load(open(table.name))["decisions"]
    return {(decision["collective"], decision["bytes"]): decision["plans"] for decision in found}


def fewest_messages(program, platform, collective, size, element_bytes, tried):
    """The fewest messages of plans within 1 % of the quickest; `tried`: the plans of one decision."""
    best_s = min(line["seconds"] for line in tried)
    near = [line for line in tried if line["seconds"] <= CLOSE * best_s]
    fewest = min(line["messages"] for line in near)
    for line in near:
        for plan in longer_segments(line, fewest, element_bytes):
            seconds, messages = timed(program, platform, collective, plan, size, element_bytes)
            if seconds <= CLOSE * best_s:
                fewest = min(fewest, messages)
    return fewest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store")
    parser.add_argument("--isthmus", default=ROOT / "build/bin/isthmus")
    parser.add_argument("--only", help="one platform")
    arguments = parser.parse_args()
    points = {}
    with sqlite3.connect(f"file:{arguments.store}?mode=ro", uri=True) as database:
        for (text,) in database.execute("SELECT record FROM records ORDER BY id"):
            record = json.loads(text)
            points.setdefault((record["platform"], record["collective"], record["bytes"]), {})[
                record["source"]
            ] = record
    print(
        "| platform | collective | bytes | plan | predicted ms | measured ms | difference % | messages | fewest |\n"
        "|---|---|--:|---|--:|--:|--:|--:|--:|"
    )
    errors, ratios, tried = [], [], {}
    for (platform, collective, size), sources in sorted(points.items()):
        if not {"replay", "emulated"} <= sources.keys() or arguments.only not in (None, platform):
            continue
        replay, emulated = sources["replay"], sources["emulated"]
        where = f"{collective} of {size} B on {platform}"
        errors.append((abs(replay["seconds"] / emulated["seconds"] - 1), where))
        file = ROOT / "platforms/plain" / f"{platform}.xml"
        if platform not in tried:
            tried = {platform: decisions(arguments.isthmus, file)}
        known = [replay, *tried[platform][collective, size]]
        fewest = fewest_messages(arguments.isthmus, file, collective, size, replay["element_bytes"], known)
        ratios.append((replay["messages"] / fewest, where))
        print(
            f"| {platform} | {collective} | {size} | {replay['plan']} | {1e3 * replay['seconds']:.4g} | "
            f"{1e3 * emulated['seconds']:.4g} | {100 * (replay['seconds'] / emulated['seconds'] - 1):+.2f} | "
            f"{replay['messages']} | {fewest} |",
            flush=True,
        )
    if not errors:
        raise SystemExit(
            f"{arguments.store}: nothing both predicted and measured; `isthmus validate` of plain.json would be right"
        )
    print(
        f"\n{len(errors)} points; at most {100 * max(errors)[0]:.2f} % off ({max(errors)[1]}); "
        f"at most {max(ratios)[0]:.2f} times the fewest messages ({max(ratios)[1]})"
    )
    return 1 if max(errors)[0] > MAX_ERROR or max(ratios)[0] > MAX_MESSAGES else 0


if __name__ == "__main__":
    sys.exit(main())
