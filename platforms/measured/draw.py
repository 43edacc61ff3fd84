#!/usr/bin/env python3
"""Draws platforms for studies: COUNT from published tables, and ten random meshes.

    platforms/measured/draw.py 1 200 FOLDER --sources SOURCES

writes FOLDER/NAME.xml and the tables of each into FOLDER/tables. The same seed and sources give the same files. In
turn: Skyplane's regions, 4, 5 and 8 of them, in both readings (one machine a site; two to eight machines a site, each
with the rates measured), and DT-FM's, 4, 5, 8 or 10 of them. A COUNT of 0 writes the meshes alone and needs no SOURCES.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from sources import dt_fm, skyplane
from tables import ONE_MACHINE, SEVERAL_MACHINES, Tables, write_platform


def write_hosts(folder: Path, name: str, sites: list[str], hosts: list[int]) -> list[str]:
    """A table of the hosts of each site; the option that names it."""
    file = folder / f"{name}-sites.csv"
    file.write_text("site,hosts\n" + "".join(f"{site},{count}\n" for site, count in zip(sites, hosts)))
    return ["--sites", str(file)]


def draw(isthmus: str, folder: Path, seed: int, count: int, sources: Path) -> None:
    regions, cities = skyplane(sources / "skyplane"), dt_fm(sources / "dt-fm" / "generate_sim_com_matrices.py")
    kinds = [
        (regions, f"skyplane-{size}-{reading}", [size], options)
        for size in (4, 5, 8)
        for reading, options in (("one", ONE_MACHINE), ("several", SEVERAL_MACHINES))
    ]
    kinds.append((cities, "dt-fm", [4, 5, 8, 10], []))
    generator = random.Random(seed)
    for number in range(count):
        tables, kind, sizes, options = kinds[number % len(kinds)]
        name = f"{kind}-{number:03}"
        sites = generator.sample(tables.sites, generator.choice(sizes))
        hosts = [generator.randint(2, 8) for _ in sites]
        files = tables.of(sites).write(folder / "tables", name)
        if options is not ONE_MACHINE:
            options = options + write_hosts(folder / "tables", name, sites, hosts)
        write_platform(isthmus, folder / f"{name}.xml", files, options)


def write_mesh(isthmus: str, folder: Path, seed: int) -> None:
    """A full mesh of three to six sites with random rates and latencies; no triangle inequality among the latencies."""
    generator = random.Random(seed)
    count = generator.randint(3, 6)
    hosts = [generator.randint(2, 8) for _ in range(count)]
    lan_MBps = [generator.choice([50, 100, 125]) for _ in range(count)]
    sites = [f"s{site}" for site in range(count)]
    rtt_ms, throughput_Gbps = {}, {}
    for i in range(count):
        for j in range(i + 1, count):
            latency_s = round(generator.uniform(0.002, 0.040), 4)
            rtt_ms[sites[i], sites[j]] = rtt_ms[sites[j], sites[i]] = 2000 * latency_s
            for pair in ((sites[i], sites[j]), (sites[j], sites[i])):
                throughput_Gbps[pair] = generator.choice([1, 2, 3, 5, 8, 12, 20]) * 0.5e6 * 8 / 1e9
    name = f"mesh-{seed:02}"
    files = Tables(sites, rtt_ms, throughput_Gbps).write(folder / "tables", name)
    table = folder / "tables" / f"{name}-sites.csv"
    table.write_text(
        "site,hosts,host_MBps\n" + "".join(f"{s},{n},{rate}\n" for s, n, rate in zip(sites, hosts, lan_MBps))
    )
    write_platform(isthmus, folder / f"{name}.xml", files, ["--sites", str(table), "--host-latency", "10us"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int, help="platforms from tables, besides the ten meshes")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sources", type=Path, help="the folder of the published tables (README.md)")
    parser.add_argument("--isthmus", default="isthmus", help="the program; default: from the path")
    arguments = parser.parse_args()
    if arguments.count > 0 and arguments.sources is None:
        parser.error("--sources: a folder of published tables is needed, or a count of 0")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, 11):
        write_mesh(arguments.isthmus, arguments.folder, seed)
    if arguments.count > 0:
        draw(arguments.isthmus, arguments.folder, arguments.seed, arguments.count, arguments.sources)
    return 0


if __name__ == "__main__":
    sys.exit(main())
