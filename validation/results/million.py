#!/usr/bin/env python3
"""Processor seconds and peak memory of questions about networks of up to a million hosts.

    PYTHONPATH=build/python validation/results/million.py [--isthmus build/bin/isthmus] [SHAPE ...]

A SHAPE is SITES x HOSTS, as 16x65536. Each question is asked by a process of its own: from Python with
isthmus.clusters(), on the command line with a platform of tables, and with the network JSON of it. Prints a Markdown
table; the memory is that of the process, or of its largest helper if that used more."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

SHAPES = ["16x4096", "16x65536", "64x16384", "1024x1024"]
PLANS = ["broadcast/binomial", "broadcast/multilevel"]
WAN_MS, WAN_MBPS = 10, 1
MAX_TABLE = 64  # more sites are hundreds of megabytes of XML
CHILD = """
import sys, isthmus
sites, hosts = map(int, sys.argv[1:3])
clusters = isthmus.clusters(hosts, sites, wan_latency_s=0.01, wan_bandwidth_Bps=1e6)
for plan in sys.argv[3:]:
    print(clusters.predict(plan, 8, models="replay").seconds[0])
"""


def run(*command, output=subprocess.DEVNULL):
    """Processor seconds, those of helpers included, and the peak in MB."""
    process = subprocess.Popen([str(word) for word in command], stdout=output)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: status {status}")
    return f"{usage.ru_utime + usage.ru_stime:.1f} s, {usage.ru_maxrss / 1e3:.0f} MB"


def tables(folder, sites, hosts):
    """Tables of latency and bandwidth, and of hosts, for `platform --from-table`."""
    names = [f"s{site}" for site in range(sites)]
    for what, unit, value in (("latency", "ms", WAN_MS), ("bandwidth", "MBps", WAN_MBPS)):
        rows = [",".join([f"{what}_{unit}", *names])]
        rows += [",".join([a, *("" if a == b else str(value) for b in names)]) for a in names]
        (folder / f"{what}.csv").write_text("\n".join(rows) + "\n")
    (folder / "sites.csv").write_text("site,hosts\n" + "".join(f"{name},{hosts}\n" for name in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--isthmus", default="build/bin/isthmus")
    parser.add_argument("shapes", nargs="*", default=SHAPES)
    arguments = parser.parse_args()
    columns = [*(f"Python, `{plan}`" for plan in PLANS), "tables to XML", "predict XML", "XML to JSON", "predict JSON"]
    print("| sites x hosts | hosts | " + " | ".join(columns) + " |")
    print("|---|--:|" + "--:|" * len(columns), flush=True)
    for shape in arguments.shapes:
        sites, hosts = map(int, shape.split("x"))
        cells = [shape, f"{sites * hosts:,}"]
        cells += [run(sys.executable, "-c", CHILD, sites, hosts, plan) for plan in PLANS]
        cells += commands(arguments.isthmus, sites, hosts) if sites <= MAX_TABLE else [""] * 4
        print("| " + " | ".join(cells) + " |", flush=True)


def commands(isthmus, sites, hosts):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tables(folder, sites, hosts)
        xml, text = folder / "p.xml", folder / "p.json"
        make = ["platform", "--from-table", folder / "latency.csv", folder / "bandwidth.csv"]
        question = [PLANS[0], "--bytes", 8, "--source", "replay"]
        cells = [run(isthmus, *make, "--sites", folder / "sites.csv", "-o", xml)]
        cells.append(run(isthmus, "predict", xml, *question))
        with text.open("w") as output:
            cells.append(run(isthmus, "platform", xml, "--format", "json", output=output))
        return [*cells, run(isthmus, "predict", text, *question)]


if __name__ == "__main__":
    main()
