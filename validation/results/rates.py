#!/usr/bin/env python3
"""Plans for the rates of networks: their times over the lower bound, as a Markdown table.

    platforms/measured/draw.py 1 200 FOLDER --sources SOURCES
    build/benchmarks/rates_benchmark FOLDER/*.xml > rates.jsonl
    validation/results/rates.py rates.jsonl [MORE.jsonl ...]

For each size, given by the bandwidth term of the bound over its latency term (0: 8 bytes): median, 95th percentile and
worst of the automatic choice; the best of all other algorithms, where it was tried; the forecast of the synthesis; the
times of the choice and of the synthesis."""

import json
import sys

import pandas as pd


def quantiles(values: pd.Series) -> str:
    if values.empty:
        return "-"
    return f"{values.median():.3f}, {values.quantile(0.95):.3f}, {values.max():.3f}"


def main() -> int:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    frame = pd.DataFrame([json.loads(line) for file in sys.argv[1:] for line in open(file, encoding="utf-8")])
    frame["chosen"] = frame.seconds / frame.bound_s
    frame["forecast"] = frame.packed_s / frame.forecast_s
    if "others_s" not in frame:
        frame["others_s"] = float("nan")
    frame["others"] = frame.others_s / frame.bound_s
    print(f"{frame.platform.nunique()} platforms, {len(frame)} points; each cell: median, 95th percentile, worst\n")
    print("| bandwidth / latency | collective | choice / bound | other plans / bound | packing: replay / forecast |")
    print("|---|---|---|---|---|")
    for ratio, of_ratio in frame.groupby("ratio"):
        for collective, rows in [("all", of_ratio), *of_ratio.groupby("collective", sort=False)]:
            cells = [quantiles(rows[name].dropna()) for name in ("chosen", "others", "forecast")]
            print(f"| {ratio:g} | {collective} | " + " | ".join(cells) + " |")
    print("\nprocessor ms, median, 95th percentile, worst\n")
    print("| collective | choice | synthesis |")
    print("|---|---|---|")
    for collective, rows in frame.groupby("collective", sort=False):
        print(f"| {collective} | {quantiles(rows.choice_ms)} | {quantiles(rows.synthesis_ms.dropna())} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
