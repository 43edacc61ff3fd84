"""Runs a program under the drop-in on hosts of this machine, half of which have no route to the others.

Usage: no_routes.py --mpirun MPIRUN --drop-in LIBRARY [--ranks N] [--gateways N] [--idle-gateways] [--alternate]
                    [--set NAME=VALUE ...] [--limit NAME=VALUE ...] [--statistics FILE] [--kill-gateway AFTER_S[:N]]
                    [--taken HOST] [--other-job HOST] [--exit STATUS ...] [--says REGEX] [--forwarded BYTES]
                    [--holds BYTES] -- PROGRAM ARGUMENT...
Each rank is a host of its own, foo0, foo1 ... and goo0, goo1 ...; the first ones that are left are the gateways, which
reach everybody. The MPI may only use TCP, and each host has ports of its own, by which the drop-in knows it. While the
program runs, the connections of this machine are looked through for one between hosts without a route.
The forwarder of gateway N, or of the host N, is killed AFTER_S seconds after the first line of the program's output.
Exit status 1 when something is not as it should be.
"""

import argparse
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PORTS_OF_A_HOST = 8
PORTS_OF_A_RUN = 240
OPEN_MPI = (
    "--oversubscribe --allow-run-as-root --bind-to none --mca pml ob1 --mca btl self,tcp --mca btl_tcp_if_include lo "
    "--mca osc pt2pt --mca mpi_yield_when_idle 1"
).split()
MPICH = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "lo", "MPIR_CVAR_NOLOCAL": "1", "MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}


def hosts_of(ranks: int, gateways: int, idle: bool, alternate: bool) -> list[str]:
    """The host of each rank; idle gateways come after them."""
    with_ranks = 0 if idle else min(gateways, ranks)
    rest = ranks - with_ranks
    sides = [("foo", "goo")[n % 2 if alternate else n >= (rest + 1) // 2] for n in range(rest)]
    counts = {"foo": 0, "goo": 0}
    names = []
    for side in sides:
        names.append(f"{side}{counts[side]}")
        counts[side] += 1
    gates = [f"gate{n}" for n in range(gateways)]
    return names[: rest // 2] + gates[:with_ranks] + names[rest // 2 :] + gates[with_ranks:]


def network(hosts: list[str]) -> dict:
    """Every host is an endpoint by itself."""
    links = [
        {"name": host + way, "bandwidth_Bps": 1e8, "latency_s": 1e-5, "sharing": "shared"}
        for host in hosts
        for way in ("_UP", "_DOWN")
    ]
    described = [
        {
            "name": host, "speed_flops": 1e9, "cores": 1, "gateway": False, "endpoint": n, "loopback": [],
            "zones": [{"level": "site", "name": host.rstrip("0123456789")}], "up": [], "down": [],
        }
        for n, host in enumerate(hosts)
    ]  # fmt: skip
    trunks = [
        {"from": a, "to": b, "links": [2 * a, 2 * b + 1]}
        for a in range(len(hosts))
        for b in range(len(hosts))
        if a != b and has_route(hosts[a], hosts[b])
    ]
    transport = {
        "header_bytes": 0, "eager_bytes": 65536, "buffered_bytes": 65536, "send_overhead_s": 0,
        "send_overhead_s_per_byte": 0, "receive_overhead_s": 0, "receive_overhead_s_per_byte": 0,
    }  # fmt: skip
    return {"name": "no-routes", "links": links, "hosts": described, "trunks": trunks, "transport": transport}


def has_route(a: str, b: str) -> bool:
    return a == b or {a[:3], b[:3]} != {"foo", "goo"}


def reserve_ports() -> list[socket.socket]:
    """A block of ports that nobody uses, bound. A connection that has ended keeps its port for a minute."""
    blocks = range(10000, 10000 + 90 * PORTS_OF_A_RUN, PORTS_OF_A_RUN)
    for first_port in random.sample(blocks, len(blocks)):
        reserved = []
        try:
            for port in range(first_port, first_port + PORTS_OF_A_RUN):
                reserved.append(socket.socket())
                reserved[-1].bind(("", port))
            return reserved
        except OSError:
            for each in reserved:
                each.close()
    raise SystemExit("no_routes.py: no 240 free ports from 10000 to 31600; other runs have to end first")


class Watch(threading.Thread):
    """Looks for established connections between programs of hosts without a route."""

    def __init__(self, hosts: list[str], first_port: int) -> None:
        super().__init__(daemon=True)
        self.hosts, self.first_port = hosts, first_port
        self.wrong: set[tuple[str, str]] = set()
        self.looks = 0
        self.over = threading.Event()

    def host_of_port(self, port: int) -> str | None:
        number = (port - self.first_port) // PORTS_OF_A_HOST
        return self.hosts[number] if 0 <= number < len(self.hosts) else None

    def host_of_inode(self) -> dict[str, str]:
        found = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                variables = (process / "environ").read_bytes().split(b"\0")
                name = [each[13:].decode() for each in variables if each.startswith(b"ISTHMUS_HOST=")]
                if not name or "forwarder" in (process / "comm").read_text():
                    continue
                for link in (process / "fd").iterdir():
                    target = os.readlink(link)
                    if target.startswith("socket:["):
                        found[target[8:-1]] = name[0]
            except OSError:
                continue
        return found

    def look(self) -> None:
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        owners = self.host_of_inode()
        for row in rows:
            if row[3] != "01":
                continue
            peer = self.host_of_port(int(row[2].split(":")[1], 16))
            own = owners.get(row[9])
            if peer and own and not has_route(own, peer):
                self.wrong.add((own, peer))
        self.looks += 1

    def run(self) -> None:
        while not self.over.wait(0.3):
            self.look()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--drop-in", required=True)
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--gateways", type=int, default=1)
    parser.add_argument("--idle-gateways", action="store_true")
    parser.add_argument("--alternate", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--limit", action="append", default=[])
    parser.add_argument("--statistics")
    parser.add_argument("--kill-gateway")
    parser.add_argument("--taken", help="a host whose forwarder's port another program has")
    parser.add_argument("--other-job", help="a host on which a forwarder of another job has the port")
    parser.add_argument("--exit", type=int, nargs="+", default=[0], help="one of these")
    parser.add_argument("--says")
    parser.add_argument("--forwarded", type=int)
    parser.add_argument("--holds", type=int)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isthmus-no-routes-") as folder:
        return run(options, Path(folder))


def run(options: argparse.Namespace, folder: Path) -> int:
    hosts = hosts_of(options.ranks, options.gateways, options.idle_gateways, options.alternate)
    reserved, *ports = reserve_ports()  # the first stays bound, so that other runs take other blocks
    for port in ports:
        port.close()
    first_port = reserved.getsockname()[1] + 1
    forwarder_port = first_port + len(hosts) * PORTS_OF_A_HOST
    taken = socket.socket()
    if options.taken:
        taken.bind(("127.0.0.1", forwarder_port + hosts.index(options.taken)))
    setting = {
        "timeout_s": 10,
        "hosts": {
            host: {
                "addresses": ["127.0.0.1"],
                "port": forwarder_port + n,
                "program_ports": [first_port + n * PORTS_OF_A_HOST, first_port + (n + 1) * PORTS_OF_A_HOST - 1],
            }
            for n, host in enumerate(hosts)
        },
    }
    for limit in options.limit:
        name, value = limit.split("=", 1)
        setting[name] = float(value) if name.endswith("_s") else int(value)
    statistics = Path(options.statistics) if options.statistics else folder / "statistics"
    (folder / "network.json").write_text(json.dumps(network(hosts)))
    (folder / "forward.json").write_text(json.dumps(setting))
    wrapper = folder / "as_host"
    wrapper.write_text(
        "#!/bin/sh\n"
        "rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}\n"
        f"export ISTHMUS_HOST=$(echo {' '.join(hosts)} | cut -d' ' -f$((rank + 1)))\n"
        f"first=$(({first_port} + rank * {PORTS_OF_A_HOST}))\n"
        f"export OMPI_MCA_btl_tcp_port_min_v4=$first OMPI_MCA_btl_tcp_port_range_v4={PORTS_OF_A_HOST}\n"
        f"export UCX_TCP_PORT_RANGE=$first-$((first + {PORTS_OF_A_HOST - 1}))\n"
        f'exec env LD_PRELOAD={options.drop_in} "$@"\n'
    )
    wrapper.chmod(0o755)
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "ISTHMUS_NETWORK": str(folder / "network.json"),
        "ISTHMUS_FORWARD": str(folder / "forward.json"),
        "ISTHMUS_FORWARD_STATISTICS": str(statistics),
    }
    mpich = "hydra" in os.path.realpath(options.mpirun)
    environment |= MPICH if mpich else {}
    environment |= dict(each.split("=", 1) for each in options.set)
    forwarder = Path(options.drop_in).resolve().parent.parent / "libexec/isthmus/isthmus-forwarder"
    files = [str(folder / "network.json"), str(folder / "forward.json")]
    gateways = {
        host: subprocess.Popen([forwarder, *files, host, "--stay", "--statistics", str(statistics)])
        for host in (hosts[options.ranks :] if options.idle_gateways else [])
    }
    if options.other_job:
        other = folder / "other.json"
        other.write_text(json.dumps(setting | {"key": "of another job"}))
        port = forwarder_port + hosts.index(options.other_job)
        argv = [forwarder, files[0], other, options.other_job, "--stay"]
        gateways["of another job"] = subprocess.Popen(argv)
        wait_for_port(port)
    watch = Watch(hosts, first_port)
    watch.start()
    argv = [options.mpirun, *([] if mpich else OPEN_MPI), "-np", str(options.ranks), str(wrapper), *options.program]
    program = subprocess.Popen(argv, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = program.stdout.readline()
    if options.kill_gateway:
        after, _, number = options.kill_gateway.partition(":")
        host = number if number in hosts else f"gate{number or 0}"
        threading.Thread(target=kill, args=(float(after), host, folder), daemon=True).start()
    said += program.stdout.read()
    program.wait()
    watch.over.set()
    watch.join()
    reserved.close()
    for process in gateways.values():
        process.terminate()
        process.wait()
    wait_for_forwarders(folder)
    print(said, end="")
    lines = [json.loads(line) for line in statistics.read_text().splitlines()] if statistics.exists() else []
    forwarded = sum(line["forwarded_bytes"] for line in lines)
    held = max((line["most_held_bytes"] for line in lines), default=0)
    print(f"no_routes.py: {forwarded} bytes forwarded, at most {held} held by a gateway, {watch.looks} looks")
    wrong = [f"{a} is connected to {b} directly" for a, b in sorted(watch.wrong)]
    if program.returncode not in options.exit:
        wrong.append(f"exit status {program.returncode}, should be {' or '.join(map(str, options.exit))}")
    if options.says and not re.search(options.says, said):
        wrong.append(f"does not say {options.says}")
    if options.forwarded is not None and forwarded < options.forwarded:
        wrong.append(f"{forwarded} bytes forwarded, should be {options.forwarded} or more")
    if options.holds is not None and held > options.holds:
        wrong.append(f"a gateway held {held} bytes, should be {options.holds} at most")
    for each in wrong:
        print("no_routes.py:", each)
    return 1 if wrong else 0


def forwarders(folder: Path) -> dict[int, str]:
    """The forwarders of this run, by process: their hosts."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        if words[0].endswith("isthmus-forwarder") and str(folder / "network.json") in words:
            found[int(process.name)] = words[3]
    return found


def kill(after_s: float, host: str, folder: Path) -> None:
    time.sleep(after_s)
    for process, name in forwarders(folder).items():
        if name == host:
            os.kill(process, signal.SIGKILL)


def wait_for_port(port: int) -> None:
    """Until somebody listens on it."""
    for _ in range(100):
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


def wait_for_forwarders(folder: Path) -> None:
    """Forwarders end by themselves after their programs; those that are left after a while are ended."""
    for _ in range(100):
        if not forwarders(folder):
            return
        time.sleep(0.1)
    for process, host in forwarders(folder).items():
        print(f"no_routes.py: the forwarder of {host} did not end by itself")
        os.kill(process, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
