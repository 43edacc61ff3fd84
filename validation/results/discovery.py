#!/usr/bin/python3
"""Draws random unequal networks, lets `isthmus discover` find them, and compares what was found with what was drawn.

    validation/results/discovery.py build/bin/isthmus [PLATFORM ...] [--networks 40] [--seed 1] [--plans]
        [--in emulated] [--more "OPTIONS OF DISCOVER"] [--keep FOLDER]
        [--ambient [--conditions-seed 1]]

Networks have 3 to 8 sites, rates over a factor of 50, latencies between sites of 5 to 250 ms, and one to three levels:
hosts that are all far apart, sites of hosts, sites of machines. Prints a table in Markdown: whether the groups are the
true ones, and the largest deviations of a route's latency and rate. With --plans also how much more the plans cost that
are chosen on the found network, in the replay on the true one, than those chosen on the true one.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

COLLECTIVES = ("broadcast", "allreduce", "allgather", "alltoall", "reduce", "scatter")
SIZES = ("1Ki", "64Ki", "1Mi")


def drawn(seed):
    """A platform as XML text, and its name."""
    dice = random.Random(seed)
    sites = dice.randint(3, 8)
    levels = 1 + seed % 3
    slowest = dice.choice((1, 2, 5)) * 1e6
    lines, ports, zones = [], [], []

    def cluster(name, hosts, level):
        rate, latency = dice.choice((125, 250, 1250)), dice.choice((15, 25, 40))
        return (
            f'<cluster id="{name}" prefix="{name}-" suffix="" radical="0-{hosts - 1}" speed="10Gf" bw="{rate}MBps" '
            f'lat="{latency}us" router_id="{name}-router"><prop id="isthmus.level" value="{level}"/></cluster>'
        )

    for site in range(sites):
        name = f"s{site}"
        if levels == 1:
            zones.append(f'<zone id="{name}" routing="Full"><host id="{name}-0" speed="10Gf"/></zone>')
            ports.append(f"{name}-0")
        elif levels == 2 or dice.random() < 0.3:
            zones.append(cluster(name, dice.randint(1, 5), "site"))
            ports.append(f"{name}-router")
        else:
            machines = dice.randint(2, 3)
            inner = [cluster(f"{name}m{i}", dice.randint(2, 3), "machine") for i in range(machines)]
            inner.append(f'<zone id="{name}-edge" routing="Full"><router id="{name}-gate"/></zone>')
            for i in range(machines):
                up = f'<link id="{name}-up{i}" bandwidth="1250MBps" latency="{dice.randint(50, 200)}us" '
                up += 'sharing_policy="SPLITDUPLEX"/>'
                inner.append(up)
            routes = []
            for i in range(machines):
                routes.append(
                    f'<zoneRoute src="{name}m{i}" dst="{name}-edge" gw_src="{name}m{i}-router" gw_dst="{name}-gate">'
                    f'<link_ctn id="{name}-up{i}" direction="UP"/></zoneRoute>'
                )
                for j in range(i + 1, machines):
                    routes.append(
                        f'<zoneRoute src="{name}m{i}" dst="{name}m{j}" gw_src="{name}m{i}-router" '
                        f'gw_dst="{name}m{j}-router">'
                        f'<link_ctn id="{name}-up{i}" direction="UP"/><link_ctn id="{name}-up{j}" direction="DOWN"/>'
                        "</zoneRoute>"
                    )
            zones.append(
                f'<zone id="{name}" routing="Full"><prop id="isthmus.level" value="site"/>'
                + "".join(inner + routes)
                + "</zone>"
            )
            ports.append(f"{name}-gate")
    routes = []
    for one in range(sites):
        for other in range(one + 1, sites):
            rates = [slowest * 50 ** dice.random() for _ in range(2)]
            if dice.random() < 0.5:
                rates[1] = rates[0]
            latency = dice.uniform(5, 250)
            for way, (start, end) in enumerate(((one, other), (other, one))):
                lines.append(
                    f'<link id="w{start}-{end}" bandwidth="{rates[way]:.0f}Bps" latency="{latency:.3f}ms" '
                    'sharing_policy="SHARED"/>'
                )
                routes.append(
                    f'<zoneRoute src="s{start}" dst="s{end}" gw_src="{ports[start]}" gw_dst="{ports[end]}" '
                    'symmetrical="NO">'
                    f'<link_ctn id="w{start}-{end}"/></zoneRoute>'
                )
    body = "\n".join(zones + lines + routes)
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        '<platform version="4.1">\n'
        f'<zone id="drawn" routing="Full">\n{body}\n</zone></platform>\n'
    ), f"{sites} sites, {levels} levels"


def ambient(seed, true):
    """Conditions: 0.1 % of frames lost between sites, and three bursty flows of a tenth of their lines on average."""
    dice = random.Random(seed)
    hosts = {}
    for name, host in true.hosts.items():
        hosts.setdefault(host["zones"][0]["name"], []).append(name)
    traffic = []
    for _ in range(3):
        start, end = (dice.choice(hosts[site]) for site in dice.sample(sorted(hosts), 2))
        rate = 0.2 * true.figures(start, end)[1]
        traffic.append(
            {"from": start, "to": end, "kind": "bursty", "rate_Bps": round(rate), "on_s": 0.05, "off_s": 0.05}
        )
    return {"seed": seed, "links": [{"link": "w*", "loss": 0.001}], "traffic": traffic}


class Routes:
    """The routes of a network in JSON."""

    def __init__(self, network):
        self.network = network
        self.hosts = {host["name"]: host for host in network["hosts"]}
        self.trunks = {(trunk["from"], trunk["to"]): trunk["links"] for trunk in network["trunks"]}

    def figures(self, start, end):
        """Latency in seconds and bandwidth in bytes per second from one host to another."""
        first, last = self.hosts[start], self.hosts[end]
        numbers = [*first["up"], *self.trunks[first["endpoint"], last["endpoint"]], *last["down"]]
        links = [self.network["links"][number] for number in numbers]
        return sum(link["latency_s"] for link in links), min(link["bandwidth_Bps"] for link in links)

    def groups(self):
        """The hosts of each group of two or more, groups of all hosts left out."""
        found = {}
        for host in self.network["hosts"]:
            path = ()
            for zone in host["zones"]:
                path += (zone["name"],)
                found.setdefault(path, set()).add(host["name"])
        everybody = set(self.hosts)
        return sorted({tuple(sorted(group)) for group in found.values() if 1 < len(group) and group != everybody})


def deviations(true, found):
    """The largest relative deviations of any route: latency, bandwidth."""
    worst_s = worst_Bps = 0.0
    for start in found.hosts:
        for end in found.hosts:
            if start == end:
                continue
            latency, rate = true.figures(start, end)
            found_s, found_Bps = found.figures(start, end)
            worst_s = max(worst_s, abs(found_s / latency - 1))
            worst_Bps = max(worst_Bps, abs(found_Bps / rate - 1))
    return worst_s, worst_Bps


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def predicted(isthmus, platform, plans, sizes, ranks):
    """The records of a replay: the plans, or for the name of a collective the automatic choice."""
    lines = output_of(
        isthmus, "predict", platform, *plans, "--bytes", sizes, "--model", "replay", "--placement", ranks,
        "--format", "json",
    ).splitlines()  # fmt: skip
    return [json.loads(line) for line in lines]


def worst_plan(isthmus, platform, found, ranks):
    """How much more the plans of the found network cost on the true one, at most; the collective and size of it."""
    worst, what = 0.0, ""
    chosen = {}
    for source in (platform, found):
        for row in predicted(isthmus, source, COLLECTIVES, ",".join(SIZES), ranks):
            chosen.setdefault((row["collective"], row["bytes"]), []).append(row)
    for (collective, size), (of_true, of_found) in chosen.items():
        seconds = predicted(isthmus, platform, [f"{collective}/{of_found['plan']}"], str(size), ranks)[0]["seconds"]
        if seconds / of_true["seconds"] - 1 > worst:
            worst, what = seconds / of_true["seconds"] - 1, f"{collective}, {size} B"
    return worst, what


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isthmus")
    parser.add_argument("platforms", nargs="*")
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plans", action="store_true")
    parser.add_argument("--in", dest="world", default="smpi")
    parser.add_argument("--more", default="", help="further options of `isthmus discover`, separated by blanks")
    parser.add_argument("--ambient", action="store_true", help="with --in emulated: ambient traffic and lost frames")
    parser.add_argument("--conditions-seed", type=int, default=1, help="of --ambient")
    parser.add_argument("--keep", help="folder for the platforms and the networks that were found")
    options = parser.parse_args()
    aim = 0.1 if options.ambient else 0.05
    with tempfile.TemporaryDirectory(prefix="isthmus-") as folder:
        folder = pathlib.Path(options.keep or folder)
        folder.mkdir(parents=True, exist_ok=True)
        rows = [(pathlib.Path(platform).stem, platform) for platform in options.platforms]
        for seed in range(options.seed, options.seed + options.networks):
            text, what = drawn(seed)
            file = folder / f"drawn-{seed}.xml"
            file.write_text(text)
            rows.append((f"{seed}: {what}", str(file)))
        print(
            "| network | hosts | groups | latency off by | rate off by | measured s | took s |"
            + (" plans off by |" if options.plans else "")
        )
        print("|---|---|---|---|---|---|---|" + ("---|" if options.plans else ""))
        missed = 0
        for name, platform in rows:
            true = Routes(json.loads(output_of(options.isthmus, "platform", platform, "--format", "json")))
            found_file = folder / f"{pathlib.Path(platform).stem}-found.json"
            more = options.more.split()
            if options.ambient:
                conditions = folder / "conditions.json"
                conditions.write_text(json.dumps(ambient(options.conditions_seed, true)))
                more += ["--conditions", str(conditions)]
            start_s = time.monotonic()
            output_of(
                options.isthmus,
                "discover",
                platform,
                "--in",
                options.world,
                "-o",
                str(found_file),
                *more,
            )
            took_s = time.monotonic() - start_s
            found = Routes(json.loads(found_file.read_text()))
            same = found.groups() == true.groups()
            latency, rate = deviations(true, found)
            missed += not same or latency > 0.02 or rate > aim
            measured_s = found.network["discovery"]["seconds"]
            row = f"| {name} | {len(found.hosts)} | {'true' if same else 'WRONG'} | {100 * latency:.2g} % "
            row += f"| {100 * rate:.2g} % | {measured_s:.0f} | {took_s:.1f} |"
            if options.plans:
                ranks = folder / "ranks"
                ranks.write_text("".join(host + "\n" for host in found.hosts))
                worst, what = worst_plan(options.isthmus, platform, str(found_file), str(ranks))
                row += f" {100 * worst:.2g} % {what} |"
            print(row, flush=True)
        print(f"\n{len(rows) - missed} of {len(rows)}: true groups, latencies within 2 %, rates within {aim:.0%}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
