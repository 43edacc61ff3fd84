#!/usr/bin/python3
"""Regret of choices by model: every candidate plan is timed, and each model chooses among them.

    PYTHONPATH=build/python validation/results/regret.py run --store regret.sqlite -o regret.csv [--bytes 1,4,16 ...]
        [--by smpi|emulated] [--plans N] [PLATFORM ...]
    validation/results/regret.py table regret.csv

`run` times the candidates of the automatic choice for each collective, size and platform (root 0); with --plans only
that many, the best by replay, one of each algorithm first, and those that a model chooses. The store keeps every time
as it comes: an interrupted run continues. A line of the CSV is a decision: the quickest plan, and for each model its
choice and the regret. `table` prints it as Markdown. The models are

- replay: the replay on the network as it is, P-LogP with shared links; this is the automatic choice;
- refined: `isthmus tune --by`, which times up to 8 plans that the replay puts within 25 % of its best;
- loggp: the replay with LogGP's parameters: one overhead and one gap for each process, and no shared links except its
  own, as in Pjesivac-Grbovic 2005, section 3.1;
- hockney: the replay with Hockney's two parameters for each class of links: a process sends and receives one message at
  a time, for alpha + beta m each.
"""
import argparse
import csv
import itertools
import json
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PLATFORMS = ["kielmann2000/das-4x4", "samples/uneven", "pjesivac2005/boba", "pjesivac2005/frodo"]
COLLECTIVES = ["broadcast", "reduce", "allreduce", "allgather", "alltoall", "barrier"]
SIZES = ",".join(str(4**power) for power in range(11))
CHOOSERS = ["replay", "refined", "loggp", "hockney"]
COLUMNS = [
    "platform",
    "collective",
    "bytes",
    "ranks",
    "source",
    "plans",
    "best",
    "best_seconds",
    "chooser",
    "chosen",
    "seconds",
    "regret_percent",
]


# ---- networks reduced to the parameters of a model


def loggp(network):
    """Only the hosts' own links are shared; overheads are the same for all sizes and at both ends."""
    own = {link for host in network["hosts"] for link in host["up"] + host["down"]}
    for number, link in enumerate(network["links"]):
        if number not in own:
            link["sharing"] = "fatpipe"
    transport = network["transport"]
    ends = [transport[f"{end}_overhead_s"] + transport[f"{end}_overhead_s_per_byte"] for end in ("send", "receive")]
    for end in ("send", "receive"):
        transport[f"{end}_overhead_s"] = statistics.mean(ends)
        transport[f"{end}_overhead_s_per_byte"] = 0


def hockney(network):
    """A class for the links that are alike; a route goes by that of its longest link, and takes what the first of these
    routes takes: alpha + beta m, of its sender, and of its receiver's link."""
    links, transport = network["links"], network["transport"]
    kinds = sorted({(link["latency_s"], -link["bandwidth_Bps"]) for link in links})
    class_of = [kinds.index((link["latency_s"], -link["bandwidth_Bps"])) for link in links]
    trunks = {(trunk["from"], trunk["to"]): trunk["links"] for trunk in network["trunks"]}
    parameters = {}
    for source, target in itertools.permutations(network["hosts"], 2):
        trunk = trunks.get((source["endpoint"], target["endpoint"]))
        route = None if trunk is None else source["up"] + trunk + target["down"]
        if not route:
            continue
        beta = max(1 / links[link]["bandwidth_Bps"] for link in route)
        costs = (transport["header_bytes"] * beta, transport["send_overhead_s"], transport["receive_overhead_s"])
        alpha = sum(links[link]["latency_s"] for link in route) + max(costs)
        parameters.setdefault(max(class_of[link] for link in route), (alpha, beta))
    into = {link for host in network["hosts"] for link in host["down"]}
    for number, link in enumerate(links):
        alpha, beta = parameters.get(class_of[number], (0.0, 1 / link["bandwidth_Bps"]))
        link.update(
            {
                "class": f"class {class_of[number]}",
                "latency_s": 0.0,
                "sharing": "shared" if number in into else "fatpipe",
            }
        )
        parameters[class_of[number]] = (alpha, beta)
    most = 1 << 22
    network["classes"] = [
        {
            "name": f"class {number}",
            "gap": [[0, alpha], [most, alpha + beta * most]],
            "send_overhead": [[0, alpha], [most, alpha + beta * most]],
            "receive_overhead": [[0, 0.0], [most, 0.0]],
        }
        for number, (alpha, beta) in sorted(parameters.items())
    ]
    for end in ("send", "receive"):
        transport[f"{end}_overhead_s"] = transport[f"{end}_overhead_s_per_byte"] = 0


# ---- decisions


def short_list(plans, most):
    """The quickest plans, first one of each algorithm, then further ones."""
    known, first, others = set(), [], []
    for plan in plans:
        algorithm = plan.partition(":")[0]
        (others if algorithm in known else first).append(plan)
        known.add(algorithm)
    return (first + others)[:most]


def seconds_of(isthmus, platform, collective, wanted, **how):
    """{(plan, bytes): seconds} of these."""
    names = {f"{collective}/{plan}" for plan, _ in wanted}
    frame = isthmus.sweep(
        platform,
        algorithms=sorted(names),
        bytes=sorted({size for _, size in wanted}),
        progress=False,
        where=lambda point: (point.algorithm.partition("/")[2], point.bytes) in wanted,
        **how,
    )
    return {(plan, size): seconds for plan, size, seconds in zip(frame["requested"], frame["bytes"], frame["seconds"])}


def decisions(isthmus, name, collective, arguments):
    """The lines of the CSV of one platform and collective."""
    platform = isthmus.Platform(ROOT / "platforms" / f"{name}.xml")
    sizes = [0] if collective == "barrier" else [int(size) for size in arguments.bytes.split(",")]
    by_replay = {}
    for size in sizes:
        explained = platform.explain(collective, size)
        by_replay[size] = {
            plan.partition("/")[2]: seconds for plan, seconds in zip(explained["plan"], explained["seconds"])
        }
    words = {"replay": {(plan, size): seconds for size, plans in by_replay.items() for plan, seconds in plans.items()}}
    for reduce in (loggp, hockney):
        network = json.loads(platform.network.to_json())
        reduce(network)
        reduced = isthmus.Platform(isthmus.Network.from_json(json.dumps(network)))
        words[reduce.__name__] = seconds_of(
            isthmus, reduced, collective, set(words["replay"]), sources="replay", workers=1
        )
    taken = {
        (by, size): min((said[plan, size], number, plan) for number, plan in enumerate(plans))[2]
        for by, said in words.items()
        for size, plans in by_replay.items()
    }
    of_size = {size: short_list(plans, arguments.plans or len(plans)) for size, plans in by_replay.items()}
    for (_, size), plan in taken.items():
        if plan not in of_size[size]:
            of_size[size].append(plan)
    wanted = {(plan, size) for size, plans in of_size.items() for plan in plans}
    timed = seconds_of(
        isthmus, platform, collective, wanted, sources=arguments.by, store=arguments.store, workers=1, timeout_s=100000
    )
    refined = isthmus.tune(platform, collective, bytes=sizes, by=arguments.by, timeout_s=100000).frame()
    taken.update({("refined", size): plan for plan, size in zip(refined["plan"], refined["bytes"])})
    for size in sizes:
        plans = {plan: timed[plan, size] for plan in of_size[size]}
        best = min(plans, key=plans.get)
        for chooser in CHOOSERS:
            chosen = taken[chooser, size]
            regret = 100 * (plans[chosen] / plans[best] - 1) if plans[best] > 0 else 0.0
            yield [
                name.split("/")[-1],
                collective,
                size,
                platform.ranks,
                arguments.by,
                len(plans),
                best,
                f"{plans[best]:.9g}",
                chooser,
                chosen,
                f"{plans[chosen]:.9g}",
                f"{regret:.3f}",
            ]


def run(arguments):
    import isthmus

    with open(arguments.output, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for pair in itertools.product(arguments.platforms or PLATFORMS, COLLECTIVES):
            lines = list(decisions(isthmus, *pair, arguments))
            writer.writerows(lines)
            file.flush()
            print(f"{'/'.join(pair)}: {len(lines)} choices", file=sys.stderr, flush=True)


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(arguments):
    with open(arguments.file, newline="") as file:
        rows = list(csv.DictReader(file))
    print(
        "| platform | choice by | decisions | median % | 95th percentile % | worst % | where |\n"
        "|---|---|--:|--:|--:|--:|---|"
    )
    platforms = [*dict.fromkeys(row["platform"] for row in rows), "all"]
    for platform in platforms:
        for chooser in CHOOSERS:
            of = [row for row in rows if row["chooser"] == chooser and platform in (row["platform"], "all")]
            if not of:
                continue
            regrets = [float(row["regret_percent"]) for row in of]
            worst = max(of, key=lambda row: float(row["regret_percent"]))
            where = f"{worst['collective']}, {worst['bytes']} B on {worst['platform']}" if max(regrets) > 0 else ""
            print(
                f"| {platform} | {chooser} | {len(of)} | {statistics.median(regrets):.2f} | "
                f"{percentile(regrets, .95):.1f} | {max(regrets):.1f} | {where} |"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("platforms", nargs="*", metavar="PLATFORM", help=f"files in platforms; {', '.join(PLATFORMS)}")
    running.add_argument("--by", choices=["smpi", "emulated"], default="smpi")
    running.add_argument("--bytes", default=SIZES)
    running.add_argument("--plans", type=int, default=0, help="timed for a decision, at most; all when left out")
    running.add_argument("--store", required=True, help="SQLite file that keeps the times")
    running.add_argument("-o", "--output", required=True)
    printing = commands.add_parser("table")
    printing.add_argument("file")
    arguments = parser.parse_args()
    (run if arguments.command == "run" else table)(arguments)


if __name__ == "__main__":
    main()
