#!/usr/bin/python3
"""What a choice by model costs: every candidate plan timed, and the plans that each model would have taken among them.

    validation/experiments/regret.py run [--by smpi|emulated] [--bytes 1,4,16,...] [--plans N] -o regret.csv [PLATFORM ...]
    validation/experiments/regret.py table regret.csv

`run` asks `isthmus tune` for the candidates of each collective, size and platform (root 0), has each of them timed (with
--plans the best by replay alone, one of each algorithm first), and asks `isthmus predict` for the closed forms of those
that have one. A line of the CSV is a decision: the quickest plan, and by whose word which other would have been taken, at
what cost. `refined` is what `isthmus tune --by smpi` takes, which times a short list of 8. `table` prints it as Markdown.
"""
import argparse
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORMS = ["kielmann2000/das-4x4", "samples/uneven", "pjesivac2005/boba", "pjesivac2005/frodo"]
COLLECTIVES = ["broadcast", "reduce", "allreduce", "allgather", "alltoall", "barrier"]
SIZES = ",".join(str(4 ** power) for power in range(11))
FORMS = ["hockney", "loggp", "plogp"]
CHOOSERS = ["replay", "refined", *FORMS]
COLUMNS = ["platform", "collective", "bytes", "ranks", "source", "plans", "best", "best_seconds", "chooser", "among", "chosen",
           "seconds", "regret_percent"]


class Program:
    """The command isthmus."""

    def __init__(self, path, effort):
        self.path, self.effort = path, effort

    def tune(self, platform, collective, sizes, *options):
        """The plans of each size with their seconds, the best first."""
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "table.json"
            command = [self.path, "tune", platform, collective, "--bytes", sizes, "--effort", str(self.effort), "--timeout",
                       "100000", "-o", str(output), *options]
            answer = subprocess.run(command, capture_output=True, text=True, check=False)
            if answer.returncode != 0:
                sys.exit(f"{' '.join(command)}: {answer.stderr.strip()}")
            table = json.loads(output.read_text())
        return table["ranks"], {one["bytes"]: {plan["plan"]: plan["seconds"] for plan in one["plans"]}
                                for one in table["decisions"]}

    def network(self, platform):
        """The platform as JSON, which is read more quickly."""
        command = [self.path, "platform", platform, "--format", "json"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def forms(self, network, collective, plans):
        """Seconds by closed form: {(model, bytes): {plan: seconds}}. `plans` with their sizes."""
        found, without = {}, set()
        for form in FORMS:
            for plan, sizes in plans.items():
                algorithm = plan.split(":")[0]
                if (form, algorithm) in without:
                    continue
                answer = subprocess.run([self.path, "predict", network, f"{collective}/{plan}", "--bytes",
                                         ",".join(map(str, sizes)), "--model", form, "--format", "json"],
                                        capture_output=True, text=True, check=False)
                if answer.returncode != 0:
                    without.add((form, algorithm))
                    continue
                for record in map(json.loads, answer.stdout.splitlines()):
                    found.setdefault((form, record["bytes"]), {})[plan] = record["seconds"]
        return found


def decisions(program, platform, collective, arguments):
    """The lines of the CSV of one platform and collective."""
    file = str(ROOT / "platforms" / f"{platform}.xml")
    short = ["--close", "1e9", "--plans", str(arguments.plans)] if arguments.plans else ["--all"]
    ranks, model = program.tune(file, collective, arguments.bytes)
    _, timed = program.tune(file, collective, arguments.bytes, "--by", arguments.by, *short)
    _, refined = program.tune(file, collective, arguments.bytes, "--by", arguments.by)
    sizes_of = {}
    for size, plans in model.items():
        for plan in plans:
            sizes_of.setdefault(plan, []).append(size)
    with tempfile.TemporaryDirectory() as folder:
        network = pathlib.Path(folder) / "network.json"
        network.write_text(program.network(file))
        by_form = program.forms(str(network), collective, sizes_of)
    for size, plans in timed.items():
        if arguments.plans:  # those that were not timed stand behind those that were
            plans = dict(list(plans.items())[:arguments.plans])
        best = min(plans, key=plans.get)
        for chooser in CHOOSERS:
            if chooser == "refined":
                words = {next(iter(refined[size])): 0.0}
            else:
                words = model[size] if chooser == "replay" else by_form.get((chooser, size), {})
            words = {plan: seconds for plan, seconds in words.items() if plan in plans}
            if not words:
                continue
            # A closed form is held against those plans that have one.
            among = plans if chooser in ("replay", "refined") else {plan: plans[plan] for plan in words}
            chosen = min(words, key=words.get)
            least = min(among.values())
            regret = 100 * (plans[chosen] / least - 1) if least > 0 else 0.0
            yield [platform.split("/")[-1], collective, size, ranks, arguments.by, len(plans), best, f"{plans[best]:.9g}",
                   chooser, len(among), chosen, f"{plans[chosen]:.9g}", f"{regret:.3f}"]


def run(arguments):
    program = Program(arguments.program, arguments.effort)
    pairs = [(platform, collective) for platform in arguments.platforms or PLATFORMS for collective in COLLECTIVES]

    def lines_of(pair):
        lines = list(decisions(program, *pair, arguments))
        print(f"{'/'.join(pair)}: {len(lines)} choices", file=sys.stderr, flush=True)
        return lines

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, open(arguments.output, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for lines in pool.map(lines_of, pairs):
            writer.writerows(lines)
            file.flush()


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(arguments):
    with open(arguments.file, newline="") as file:
        rows = list(csv.DictReader(file))
    print("| platform | choice by | decisions | median % | 95th percentile % | worst % | where |\n|---|---|--:|--:|--:|--:|---|")
    platforms = [*dict.fromkeys(row["platform"] for row in rows), "all"]
    for platform in platforms:
        for chooser in CHOOSERS:
            of = [row for row in rows if row["chooser"] == chooser and platform in (row["platform"], "all")]
            if not of:
                continue
            regrets = [float(row["regret_percent"]) for row in of]
            worst = max(of, key=lambda row: float(row["regret_percent"]))
            where = f"{worst['collective']}, {worst['bytes']} B on {worst['platform']}" if max(regrets) > 0 else ""
            print(f"| {platform} | {chooser} | {len(of)} | {statistics.median(regrets):.2f} | {percentile(regrets, .95):.1f} | "
                  f"{max(regrets):.1f} | {where} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"files in platforms; {', '.join(PLATFORMS)}")
    running.add_argument("--by", choices=["smpi", "emulated"], default="smpi")
    running.add_argument("--bytes", default=SIZES)
    running.add_argument("--plans", type=int, default=0, help="timed for a decision, at most; all when left out")
    running.add_argument("--effort", type=int, default=400000, help="messages that the model may replay for a decision")
    running.add_argument("--jobs", type=int, default=1, help="at the same time")
    running.add_argument("--program", default=str(ROOT / "build/bin/isthmus"))
    running.add_argument("-o", "--output", required=True)
    printing = commands.add_parser("table")
    printing.add_argument("file")
    arguments = parser.parse_args()
    (run if arguments.command == "run" else table)(arguments)


if __name__ == "__main__":
    main()
