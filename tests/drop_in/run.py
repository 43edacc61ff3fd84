"""Runs a program under an MPI's mpirun, with the drop-in or without, as if its ranks lay in several sites.

Usage: run.py --mpirun MPIRUN [--drop-in LIBRARY] [--preload LIBRARY] [--sites 3,2,2+1] [--bare SITE]
              [--set NAME=VALUE ...]
              [--served all|COLLECTIVE,...] [--exit STATUS] [--says REGEX] -- PROGRAM ARGUMENT...
Sites are comma separated; a site is so many ranks on its hosts, + separated, or empty. The ranks of the site of the
number given by --bare run without the drop-in. With --served the report of the
drop-in has to show calls of these collectives that isthmus served. Exit status 1 when something is not as it should be.
"""

import argparse
import os
import re
import subprocess
import sys

COLLECTIVES = (
    "broadcast barrier reduce allreduce gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv "
    "alltoallw reduce_scatter reduce_scatter_block scan exscan"
).split()
OPEN_MPI = [
    "--oversubscribe", "--allow-run-as-root", "--mca", "btl", "self,vader,tcp",
    "--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "mpi_yield_when_idle", "1",
]  # fmt: skip


def command(options: argparse.Namespace) -> list[str]:
    """mpirun with a part for each host."""
    mpich = "mpich" in os.path.basename(os.path.realpath(options.mpirun)) or "hydra" in os.path.realpath(options.mpirun)
    parts = []
    for site, hosts in enumerate(options.sites.split(",")):
        for number, ranks in enumerate(hosts.split("+") if hosts else []):
            variables = {}
            preload = [each for each in (options.preload, options.drop_in) if each]
            if preload and site != options.bare:
                variables |= {"LD_PRELOAD": ":".join(preload)}
            if options.drop_in:
                variables |= {"ISTHMUS_HOST": f"site{site}-{number}", "ISTHMUS_REPORT": "1"}
            variables |= dict(each.split("=", 1) for each in options.set)
            part = ["-n", ranks]
            for name, value in variables.items():
                part += ["-env", name, value] if mpich else ["-x", f"{name}={value}"]
            parts += ([":"] if parts else []) + part + options.program
    return [options.mpirun, *([] if mpich else OPEN_MPI), *parts]


def served(report: str) -> set[str]:
    """The collectives that the report shows calls of by a plan of isthmus."""
    row = re.compile(r"isthmus: (\w+) +(\d+) +\d+ +[\d.]+ +[\d.-]+  (?!MPI: )\S")
    return {found[1] for line in report.splitlines() if (found := row.search(line)) and int(found[2]) > 0}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpirun", required=True)
    parser.add_argument("--drop-in")
    parser.add_argument("--preload")
    parser.add_argument("--sites", default="1")
    parser.add_argument("--bare", type=int)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--served")
    parser.add_argument("--exit", type=int, default=0)
    parser.add_argument("--says")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    # One stream behind the other: mpirun may hand on a part of a line.
    run = subprocess.run(command(options), env=environment, capture_output=True, text=True)
    said = run.stdout + run.stderr
    print(said, end="")
    wrong = []
    if run.returncode != options.exit:
        wrong.append(f"exit status {run.returncode}, should be {options.exit}")
    if options.says and not re.search(options.says, said):
        wrong.append(f"does not say {options.says}")
    if options.served:
        asked = set(COLLECTIVES if options.served == "all" else options.served.split(","))
        if missing := asked - served(said):
            wrong.append("not served: " + ", ".join(sorted(missing)))
    for each in wrong:
        print("run.py:", each)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
