#!/usr/bin/env python3
"""Parallel streams over 50 ms and 200 Mbit/s, emulated in virtual time, as a Markdown table.

    validation/results/streams.py [build/bin/isthmus] > validation/results/streams.md

A broadcast among two hosts, one a site: with one TCP connection, and with the number that isthmus chooses from latency,
rate and loss (conditions: `"tcp": {"streams": "auto"}`); without loss also with the number that was chosen for loss.
Takes about five minutes."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="two-sites" routing="Full">
    <cluster id="a" prefix="a-" suffix="" radical="0-0" speed="1Gf" bw="125MBps" lat="10us"
             sharing_policy="SPLITDUPLEX" router_id="a-gateway"/>
    <cluster id="b" prefix="b-" suffix="" radical="0-0" speed="1Gf" bw="125MBps" lat="10us"
             sharing_policy="SPLITDUPLEX" router_id="b-gateway"/>
    <link id="wan" bandwidth="25MBps" latency="50ms" sharing_policy="SPLITDUPLEX"/>
    <zoneRoute src="a" dst="b" gw_src="a-gateway" gw_dst="b-gateway"><link_ctn id="wan" direction="UP"/></zoneRoute>
  </zone>
</platform>
"""
BANDWIDTH_BPS = 25e6
SIZES = ("16Mi", "64Mi")


def measure(isthmus: str, folder: Path, streams: str, loss: float, size: str) -> tuple[int, float, int]:
    platform = folder / "two-sites.xml"
    platform.write_text(PLATFORM, encoding="utf-8")
    conditions = folder / "conditions.json"
    links = [{"link": "wan", "loss": loss}] if loss > 0 else []
    count = "auto" if streams == "auto" else int(streams)
    conditions.write_text(json.dumps({"links": links, "tcp": {"streams": count}}), encoding="utf-8")
    command = [isthmus, "emulate", str(platform), "broadcast/binomial:segment=none", "--bytes", size]
    command += ["--substrate", "virtual", "--repetitions", "3", "--timeout", "1200", "--format", "json"]
    command += ["--conditions", str(conditions)]
    output = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    record = json.loads(output)
    return int(record["provenance"]["streams"]), record["seconds"], record["bytes"]


def main() -> int:
    isthmus = sys.argv[1] if len(sys.argv) > 1 else "build/bin/isthmus"
    print("# Parallel streams\n")
    print("50 ms, 200 Mbit/s (25 MB/s of payload), two hosts, broadcast of one message, Open MPI, CUBIC, virtual time;")
    print("median of 3 after a warm-up. `validation/results/streams.py` prints this table.\n")
    print("| loss | size | connections | s | MB/s | of the pipe | times as fast as one |")
    print("|--:|--:|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        chosen = "1"
        for loss in (0.001, 0.0):
            for size in SIZES:
                of_one = 0.0
                settings = ("1", "auto") if loss > 0 else ("1", "auto", chosen)
                for setting in settings:
                    streams, seconds, sent = measure(isthmus, folder, setting, loss, size)
                    if setting == "1":
                        of_one = seconds
                    elif loss > 0:
                        chosen = str(streams)
                    rate = sent / seconds
                    label = f"{streams}, chosen" if setting == "auto" else str(streams)
                    print(
                        f"| {loss:.1%} | {size}B | {label} | {seconds:.3f} | {rate / 1e6:.2f} |"
                        f" {rate / BANDWIDTH_BPS:.2f} | {of_one / seconds:.3g} |",
                        flush=True,
                    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
