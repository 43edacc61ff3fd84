"""Reads the published tables that the platforms of this folder are made from. README.md says where they are.

A source folder holds, as far as they are at hand:
    skyplane/throughput.csv, skyplane/latency.csv, skyplane/cost.csv
    dt-fm/generate_sim_com_matrices.py
    topology-zoo/Geant2009.graphml
    simgrid/g5k.xml
"""

from __future__ import annotations

import ast
import csv
from pathlib import Path

from tables import Pair, Tables


def skyplane(folder: Path) -> Tables:
    """Skyplane's measurements of January to April 2022, as far as a pair of regions is in all three tables.

    Only the providers' own wide-area networks (tier PREMIUM) at both ends; the mean where a pair was measured twice.
    """

    def rows(name: str) -> list[dict[str, str]]:
        with open(folder / name, newline="") as file:
            return list(csv.DictReader(file))

    rates: dict[Pair, list[float]] = {}
    for row in rows("throughput.csv"):
        if row["src_tier"] == row["dst_tier"] == "PREMIUM" and row["success"] == "True":
            pair = row["src_region"], row["dst_region"]
            rates.setdefault(pair, []).append(float(row["throughput_received"]) / 1e9)
    rtt_ms = {
        (row["src_region"], row["dst_region"]): float(row["avg_rtt"])
        for row in rows("latency.csv")
        if row["src_tier"] == row["dst_tier"] == "PREMIUM"
    }
    prices = {(row["src"], row["dest"]): float(row["cost"]) for row in rows("cost.csv")}
    known = {(a, b) for a, b in rates if a != b} & rtt_ms.keys() & prices.keys()
    sites = sorted({site for pair in known for site in pair})
    while True:  # the site that lacks most pairs goes first
        lacking = {a: sum((a, b) not in known or (b, a) not in known for b in sites if b != a) for a in sites}
        worst = max(sites, key=lambda site: (lacking[site], site))
        if lacking[worst] == 0:
            break
        sites.remove(worst)
    means = {pair: sum(values) / len(values) for pair, values in rates.items()}
    return Tables(sites, rtt_ms, means, prices).of(sites)


def dt_fm(file: Path) -> Tables:
    """DT-FM's ten regions: its dictionary of delay (ms) and bandwidth (Gbit/s) by pair, the same in both directions."""
    for statement in ast.parse(file.read_text()).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "delay_bandwidth_dict":
            values = ast.literal_eval(statement.value)
            break
    else:
        raise SystemExit(f"{file}: no delay_bandwidth_dict")
    rtt_ms, throughput_Gbps = {}, {}
    for names, (delay, rate) in values.items():
        a, b = names.split("-")
        rtt_ms[a, b] = rtt_ms[b, a] = float(delay)
        throughput_Gbps[a, b] = throughput_Gbps[b, a] = float(rate)
    sites = list(dict.fromkeys(site for pair in rtt_ms for site in pair))
    return Tables(sites, rtt_ms, throughput_Gbps)
