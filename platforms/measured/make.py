#!/usr/bin/env python3
"""Makes the platforms of README.md from published tables.

    platforms/measured/make.py SOURCES FOLDER

writes FOLDER/NAME.xml, and the extract of the tables that each is made from into FOLDER/tables.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from sources import dt_fm, skyplane
from tables import ONE_MACHINE, SEVERAL_MACHINES, write_platform

CLOUD = {
    "skyplane-4": ["aws:us-east-1", "aws:eu-central-1", "aws:ap-northeast-1", "aws:sa-east-1"],
    "skyplane-5": [
        "gcp:us-central1-a",
        "gcp:europe-west4-a",
        "gcp:asia-northeast1-a",
        "gcp:southamerica-east1-a",
        "gcp:australia-southeast1-a",
    ],
    "skyplane-8": [
        "aws:us-west-2",
        "azure:westus",
        "aws:sa-east-1",
        "gcp:europe-west3-a",
        "azure:uksouth",
        "aws:af-south-1",
        "gcp:asia-southeast1-a",
        "azure:australiaeast",
    ],
}
# DT-FM assumes 2 Gbit/s and 5 ms inside a region: a message crosses the links of two zones.
ZONES = ["--zones", "3", "--zone-bandwidth", "2Gbps", "--zone-latency", "2.5ms"]


def make(isthmus: str, sources: Path, folder: Path) -> None:
    regions, cities = skyplane(sources / "skyplane"), dt_fm(sources / "dt-fm" / "generate_sim_com_matrices.py")
    for name, sites in CLOUD.items():
        tables = regions.of(sites).write(folder / "tables", name)
        write_platform(isthmus, folder / f"{name}-one.xml", tables, ONE_MACHINE)
        write_platform(isthmus, folder / f"{name}-several.xml", tables, SEVERAL_MACHINES)
    tables = cities.write(folder / "tables", "dt-fm")
    write_platform(isthmus, folder / "dt-fm.xml", tables, [])
    write_platform(isthmus, folder / "dt-fm-zones.xml", tables, ZONES)
    graph = sources / "topology-zoo" / "Geant2009.graphml"
    output = folder / "geant-2009.xml"
    subprocess.run([isthmus, "platform", "--graphml", graph, "--hosts", "1", "-o", output], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, help="the folder of the published tables (README.md)")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--isthmus", default="isthmus", help="the program; default: from the path")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    make(arguments.isthmus, arguments.sources, arguments.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
