#!/usr/bin/env python3
"""What the automatic choice takes on platforms that say nothing of isthmus, said and measured, and how many messages it sends.

    isthmus validate validation/experiments/plain.json --store plain.sqlite
    validation/experiments/plain.py plain.sqlite [--isthmus build/bin/isthmus] [--only NAME]

Reads what the first has measured. For each platform, collective and size: the plan chosen, the seconds predicted and
measured and how far they are apart, the plan's messages, and the fewest of any plan within 1 % of the quickest that is
known: all that `isthmus explain --all` tries, and the best of them with segments between those that it tries. Prints a
Markdown table and the worst of both; exit status 1 where a prediction is more than 3 % off or a plan has more than 1.5
times the fewest messages."""

import argparse
import json
import pathlib
import re
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLOSE, BETWEEN = 1.01, (1.15, 1.3, 1.45, 1.6, 1.75, 1.9)
MOST_ERROR, MOST_MESSAGES = 0.03, 1.5


def lines_of(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def other_segments(plan, seconds, best_s, element_bytes):
    """The plan with segments between its own and twice as long ones, where it is near the best."""
    found = re.search(r"segment=(\d+)", plan)
    if not found or seconds > 1.05 * best_s:
        return []
    longer = (int(int(found.group(1)) * factor) // element_bytes * element_bytes for factor in BETWEEN)
    return [plan.replace(found.group(0), f"segment={segment}") for segment in longer]


def timed(program, platform, collective, plan, size, element_bytes):
    record, = lines_of(program, "predict", platform, f"{collective}/{plan}", "--bytes", size, "--element-bytes", element_bytes,
                       "--model", "replay", "--format", "json")
    return record["seconds"], record["messages"]


def fewest_messages(program, platform, collective, size, element_bytes):
    """(messages, plan) of the plan with the fewest within 1 % of the quickest."""
    tried = lines_of(program, "explain", platform, collective, "--bytes", size, "--element-bytes", element_bytes, "--all",
                     "--format", "json")
    seconds = {line["plan"]: line["seconds"] for line in tried}
    best_s = min(seconds.values())
    near = [plan for plan in seconds if seconds[plan] <= CLOSE * best_s]
    near += [other for plan in seconds for other in other_segments(plan, seconds[plan], best_s, element_bytes)]
    times = {plan: timed(program, platform, collective, plan, size, element_bytes) for plan in dict.fromkeys(near)}
    best_s = min(best_s, *(at for at, _ in times.values()))
    return min((messages, plan) for plan, (at, messages) in times.items() if at <= CLOSE * best_s)


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
            points.setdefault((record["platform"], record["collective"], record["bytes"]), {})[record["source"]] = record
    print("| platform | collective | bytes | plan | predicted ms | measured ms | difference % | messages | fewest |\n"
          "|---|---|--:|---|--:|--:|--:|--:|--:|")
    errors, ratios = [], []
    for (platform, collective, size), sources in sorted(points.items()):
        if not {"replay", "emulated"} <= sources.keys() or arguments.only not in (None, platform):
            continue
        replay, emulated = sources["replay"], sources["emulated"]
        where = f"{collective} of {size} B on {platform}"
        errors.append((abs(replay["seconds"] / emulated["seconds"] - 1), where))
        fewest, _ = fewest_messages(arguments.isthmus, ROOT / "platforms/plain" / f"{platform}.xml", collective, size,
                                    replay["element_bytes"])
        ratios.append((replay["messages"] / fewest, where))
        print(f"| {platform} | {collective} | {size} | {replay['plan']} | {1e3 * replay['seconds']:.4g} | "
              f"{1e3 * emulated['seconds']:.4g} | {100 * (replay['seconds'] / emulated['seconds'] - 1):+.2f} | "
              f"{replay['messages']} | {fewest} |", flush=True)
    if not errors:
        raise SystemExit(f"{arguments.store}: nothing both predicted and measured; `isthmus validate` of plain.json would be right")
    print(f"\n{len(errors)} points; at most {100 * max(errors)[0]:.2f} % off ({max(errors)[1]}); "
          f"at most {max(ratios)[0]:.2f} times the fewest messages ({max(ratios)[1]})")
    return 1 if max(errors)[0] > MOST_ERROR or max(ratios)[0] > MOST_MESSAGES else 0


if __name__ == "__main__":
    sys.exit(main())
