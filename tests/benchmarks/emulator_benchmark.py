#!/usr/bin/python3
"""Accuracy, repeatability and speed of the emulated network on this machine.

    tests/benchmarks/emulator_benchmark.py [--program build/bin/isthmus] [--on SUBSTRATE,...] [NAME ...]

Prints Markdown, each figure with its aim. Real time (delay-line, uml) needs a quiet machine. Without names, all of
them:
self-test      latencies of 1 to 200 ms and rates of 1 to 500 Mbit/s, asked for and achieved, on every substrate
repeatability  broadcasts on das-4x4 twice: medians of virtual and of delay-line
seeded         virtual, with loss and jitter, twice; the second time while every processor has other work
start-up       16 hosts with a rank each, apart from the probe and the run
substrates     the multilevel broadcast on das-4x4, every substrate against virtual
scale          the multilevel broadcast on das-8x8 and das-8x1, simulated and emulated
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

PLATFORMS = pathlib.Path(__file__).resolve().parent.parent.parent / "platforms" / "kielmann2000"
ALL = ("virtual", "native", "delay-line", "uml")
PLAN = "broadcast/kielmann"
# On latency: relative, and on top of it in seconds; on rate: relative.
AIMS = {
    "virtual": (0.005, 0, 0.005),
    "native": (0.02, 100e-6, 0.02),
    "delay-line": (0.02, 100e-6, 0.02),
    "uml": (0.02, 700e-6, 0.02),
}


class Program:
    def __init__(self, path, substrates):
        self.path = path
        self.substrates = substrates

    def records(self, *words):
        """The records that a command prints; None if this machine lacks what it needs."""
        done = subprocess.run([self.path, *map(str, words), "--format", "json"], capture_output=True, text=True)
        for line in done.stderr.splitlines():
            print(f"> {line}\n", flush=True)
        if done.returncode == 3:
            return None
        if done.returncode != 0:
            return []
        return [json.loads(line) for line in done.stdout.splitlines()]

    def emulated(self, platform, substrate, sizes, repetitions=5, plan=PLAN, more=()):
        return self.records(
            "emulate",
            PLATFORMS / platform,
            plan,
            "--bytes",
            sizes,
            "--substrate",
            substrate,
            "--repetitions",
            repetitions,
            *more,
        )


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "|".join("--:" for _ in head) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)


def percent(ratio):
    return f"{100 * (ratio - 1):+.2f} %"


def said(is_met):
    return "yes" if is_met else "**no**"


def self_test(program):
    for substrate in program.substrates:
        links = program.records("emulate", "--self-test", "--substrate", substrate)
        if not links:
            continue
        part, slack_s, rate_part = AIMS[substrate]
        print(
            f"### {substrate}: asked for and achieved (aim: {100 * part:g} % + {1e6 * slack_s:g} us, "
            f"rates {100 * rate_part:g} %, 1 to 100 ms, 1 to 200 Mbit/s)\n"
        )
        rows = []
        for link in links:
            asked_s, got_s = link["asked_latency_s"], link["latency_s"]
            asked_Bps, got_Bps = link["asked_bandwidth_Bps"], link["bandwidth_Bps"]
            rows.append(
                (
                    f"{1e3 * asked_s:g}",
                    f"{1e3 * got_s:.3f}",
                    f"{1e6 * (got_s - asked_s):+.0f} us",
                    said(abs(got_s - asked_s) <= part * asked_s + slack_s),
                    f"{8e-6 * asked_Bps:g}",
                    f"{8e-6 * got_Bps:.3f}",
                    percent(got_Bps / asked_Bps),
                    said(abs(got_Bps / asked_Bps - 1) <= rate_part),
                )
            )
        table(("latency ms", "achieved", "off by", "met", "rate Mbit/s", "achieved", "off by", "met"), rows)


def repeatability(program):
    for substrate in (name for name in ("virtual", "delay-line") if name in program.substrates):
        one, other = (program.emulated("das-4x4.xml", substrate, "64Ki,256Ki,1Mi", 5) for _ in range(2))
        if not one or not other:
            continue
        aim = "the same to the last digit" if substrate == "virtual" else "3 %"
        print(f"### {substrate}: {PLAN} on das-4x4 twice (aim: {aim})\n")
        table(
            ("bytes", "first ms", "second ms", "apart", "met"),
            [
                (
                    a["bytes"],
                    f"{1e3 * a['seconds']:.6f}",
                    f"{1e3 * b['seconds']:.6f}",
                    percent(b["seconds"] / a["seconds"]),
                    said(
                        a["repetition_seconds"] == b["repetition_seconds"]
                        if substrate == "virtual"
                        else abs(b["seconds"] / a["seconds"] - 1) <= 0.03
                    ),
                )
                for a, b in zip(one, other)
            ],
        )


def seeded(program):
    with tempfile.TemporaryDirectory() as folder:
        conditions = pathlib.Path(folder) / "conditions.json"
        conditions.write_text(json.dumps({"seed": 7, "links": [{"link": "*wan*", "loss": 0.01, "jitter_s": 0.0005}]}))
        runs = []
        for busy in (0, os.cpu_count()):
            others = [subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"]) for _ in range(busy)]
            try:
                runs.append(
                    program.emulated("das-4x1.xml", "virtual", "64Ki,256Ki", 5, more=("--conditions", conditions))
                )
            finally:
                for other in others:
                    other.kill()
                    other.wait()
    if all(runs):
        print(
            f"### virtual: {PLAN} on das-4x1 with 1 % loss and jitter of 0.5 ms twice, "
            f"then with {os.cpu_count()} busy loops beside it\n"
        )
        table(
            ("bytes", "first ms", "busy ms", "the same to the last digit"),
            [
                (
                    a["bytes"],
                    " ".join(f"{1e3 * s:.6f}" for s in a["repetition_seconds"]),
                    " ".join(f"{1e3 * s:.6f}" for s in b["repetition_seconds"]),
                    said(a["repetition_seconds"] == b["repetition_seconds"]),
                )
                for a, b in zip(*runs)
            ],
        )


def start_up(program):
    print("### Start-up of 16 hosts with a rank each (aim: native and delay-line 4 s, virtual and uml 20 s)\n")
    rows = []
    for name in program.substrates:
        records = program.emulated("das-4x4.xml", name, "8", 1)
        if records:
            told = records[0]["provenance"]["start_up"]
            rows.append((name, told, said(float(told.split()[0]) < (4 if name in ("native", "delay-line") else 20))))
    table(("substrate", "took", "met"), rows)


def substrates(program):
    found = {name: program.emulated("das-4x4.xml", name, "64Ki,1Mi") for name in program.substrates}
    found = {name: records for name, records in found.items() if records}
    if "virtual" not in found:
        return
    print(f"### {PLAN} on das-4x4, every substrate against virtual (aim: 3 %, uml 15 %)\n")
    rows = []
    for name, records in found.items():
        for record, exact in zip(records, found["virtual"]):
            ratio = record["seconds"] / exact["seconds"]
            rows.append(
                (
                    name,
                    record["bytes"],
                    f"{1e3 * record['seconds']:.2f}",
                    percent(ratio),
                    said(abs(ratio - 1) <= (0.15 if name == "uml" else 0.03)),
                )
            )
    table(("substrate", "bytes", "ms", "against virtual", "met"), rows)


def scale(program):
    print(
        f"### {PLAN} of 4 MiB, 8 clusters (aim: 8x8 within 5 % of 8x1; virtual's 8x8 with 5 repetitions within 60 s)\n"
    )
    rows = []
    for source in ("smpi", *(name for name in ("virtual", "delay-line") if name in program.substrates)):
        seconds = {}
        for platform in ("das-8x1.xml", "das-8x8.xml"):
            start = time.monotonic()
            records = (
                program.records("simulate", PLATFORMS / platform, PLAN, "--bytes", "4Mi")
                if source == "smpi"
                else program.emulated(platform, source, "4Mi")
            )
            if records:
                seconds[platform] = (records[0]["seconds"], time.monotonic() - start)
        if len(seconds) == 2:
            (small, _), (large, took_s) = seconds.values()
            rows.append(
                (
                    source,
                    f"{1e3 * small:.1f}",
                    f"{1e3 * large:.1f}",
                    percent(large / small),
                    said(abs(large / small - 1) <= 0.05),
                    f"{took_s:.1f}",
                )
            )
    table(("source", "das-8x1 ms", "das-8x8 ms", "apart", "met", "8x8 took s"), rows)


def main():
    figures = {
        "self-test": self_test,
        "repeatability": repeatability,
        "seeded": seeded,
        "start-up": start_up,
        "substrates": substrates,
        "scale": scale,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/bin/isthmus")
    parser.add_argument(
        "--on", metavar="SUBSTRATE,...", default=",".join(ALL), help="which substrates; all are compared with virtual"
    )
    parser.add_argument("figures", nargs="*", choices=[*figures, []])
    arguments = parser.parse_args()
    substrates_asked = [name for name in ALL if name in arguments.on.split(",")]
    if len(substrates_asked) != len(arguments.on.split(",")):
        parser.error(f"--on {arguments.on}: of {', '.join(ALL)}")
    load = os.getloadavg()
    print(f"load {load[0]:.1f}, {os.cpu_count()} processors\n", flush=True)
    for name in arguments.figures or figures:
        figures[name](Program(arguments.program, substrates_asked))


if __name__ == "__main__":
    main()
