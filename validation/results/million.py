#!/usr/bin/env python3
"""Seconds and peak memory of questions about networks of up to a million hosts.

    PYTHONPATH=build/python validation/results/million.py [--isthmus build/bin/isthmus] [SHAPE ...]

A SHAPE is SITES x HOSTS, as 16x65536. Each question is asked by a process of its own: from Python with
isthmus.clusters(), on the command line with a platform of tables, and with the network JSON of it. Prints a Markdown
table; the memory is that of the process, or of its largest helper where that is more."""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

SHAPES = ["16x4096", "16x65536", "64x1024", "64x16384", "256x4096", "1024x64", "1024x1024"]
PLANS = ["broadcast/binomial", "broadcast/multilevel"]
WAN_S, WAN_BPS = 0.01, 1e6
CHILD = """
import sys, isthmus
sites, hosts = map(int, sys.argv[1:3])
clusters = isthmus.clusters(hosts, sites, wan_latency_s=0.01, wan_bandwidth_Bps=1e6)
for plan in sys.argv[3:]:
    print(clusters.predict(plan, 8, models="replay").seconds[0])
"""


def run(*command):
    """Seconds, and the peak in MB."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: status {status}")
    return f"{time.monotonic() - begin:.1f} s, {usage.ru_maxrss / 1e3:.0f} MB"


def tables(folder, sites, hosts):
    """Tables of latency and bandwidth, and of hosts, for `platform --from-table`."""
    names = [f"s{site}" for site in range(sites)]
    for what, value in (("latency", WAN_S), ("bandwidth", WAN_BPS)):
        rows = [",".join(["", *names])]
        rows += [",".join([a, *("0" if a == b else str(value) for b in names)]) for a in names]
        (folder / f"{what}.csv").write_text("\n".join(rows) + "\n")
    (folder / "sites.csv").write_text("site,hosts\n" + "".join(f"{name},{hosts}\n" for name in names))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--isthmus", default="build/bin/isthmus")
    parser.add_argument("shapes", nargs="*", default=SHAPES)
    arguments = parser.parse_args()
    print("| sites x hosts | hosts | " + " | ".join(f"Python, `{plan}`" for plan in PLANS) + " | tables to JSON | JSON |")
    print("|---|--:|" + "--:|" * (len(PLANS) + 2))
    for shape in arguments.shapes:
        sites, hosts = map(int, shape.split("x"))
        cells = [shape, str(sites * hosts)]
        for plan in PLANS:
            cells.append(run(sys.executable, "-c", CHILD, sites, hosts, plan))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if sites <= 256:
                tables(folder, sites, hosts)
                cells.append(
                    run(
                        *(arguments.isthmus, "platform", "--from-table", folder / "latency.csv"),
                        *(folder / "bandwidth.csv", "--sites", folder / "sites.csv", "-o", folder / "p.xml"),
                    )
                )
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
