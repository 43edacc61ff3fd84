#!/usr/bin/env python3
"""Whether the order in which a file lists its sites matters to the automatic choice.

    validation/results/order.py [--isthmus build/bin/isthmus] [--orders N] [--collective allreduce] [--bytes 1Mi]

Writes the clusters of platforms/plain/five-sites.xml in N orders, of all 120 evenly, chooses a plan for each and prints
its seconds by replay: shortest, median, longest, and the longest over the shortest. Collectives without a root only:
rank 0 is at another site in each order."""

import argparse
import itertools
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def seconds_of(program, text, collective, size):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        command = [program, "predict", file.name, f"{collective}/auto", "--bytes", size, "--model", "replay"]
        done = subprocess.run([*command, "--format", "json"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--isthmus", default=ROOT / "build/bin/isthmus")
    parser.add_argument("--orders", type=int, default=24)
    rootless = ["allreduce", "allgather", "alltoall", "reduce_scatter_block"]
    parser.add_argument("--collective", choices=rootless, default="allreduce")
    parser.add_argument("--bytes", default="1Mi")
    arguments = parser.parse_args()
    text = (ROOT / "platforms/plain/five-sites.xml").read_text()
    clusters = re.findall(r" *<cluster .*/>\n", text)
    orders = list(itertools.permutations(clusters))
    seconds = []
    for i in range(arguments.orders):
        order = orders[i * len(orders) // arguments.orders]
        listed = text.replace("".join(clusters), "".join(order))
        seconds.append(seconds_of(arguments.isthmus, listed, arguments.collective, arguments.bytes))
    print(
        f"{len(seconds)} orders: {1e3 * min(seconds):.2f}, {1e3 * statistics.median(seconds):.2f}, "
        f"{1e3 * max(seconds):.2f} ms; {max(seconds) / min(seconds):.3f}"
    )


if __name__ == "__main__":
    main()
