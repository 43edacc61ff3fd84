"""How a case is started: on this machine with groups forced, or on an emulated network; plain or under the drop-in."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .cases import BadRequest, Case, Lacking, Launch, Mpi
from .processes import Ended, run_whole

HERE = Path(__file__).resolve().parent.parent
NO_ROUTES = HERE.parent / "forwarding" / "no_routes.py"
# Ranks that wait give way: there are more of them than processors.
OPEN_MPI = (
    "--oversubscribe --allow-run-as-root --bind-to none --mca btl self,vader "
    "--mca btl_vader_single_copy_mechanism none --mca mpi_yield_when_idle 1"
).split()


@dataclass(frozen=True)
class Place:
    """Where cases run: `sites` on this machine, or the emulated platform.

    With `gateways`, no rank has a route to the next one, and so many hosts without ranks forward.
    """

    build: Path
    work: Path
    mpi: Mpi
    sites: int
    timeout_s: float
    platform: str | None = None
    ranks_per_host: int = 1
    gateways: int = 0

    @property
    def library(self) -> Path:
        return self.build / "lib" / ("libisthmus-mpi-mpich.so" if self.mpi.name == "mpich" else "libisthmus-mpi.so")

    @property
    def program(self) -> Path:
        return self.build / "bin" / "isthmus"

    def check(self) -> None:
        """Raises Lacking where isthmus or the MPI is not there."""
        for needed in (self.library, self.program):
            if not needed.exists():
                raise Lacking(f"{needed} is not built; scripts/build makes it, --isthmus names another build folder")


def hosts_of(ranks: int, sites: int) -> list[str]:
    """A host for each rank: sites as equal as can be, with up to two ranks on each of their hosts."""
    sites = min(sites, ranks)
    hosts = []
    for site in range(sites):
        size = ranks // sites + (site < ranks % sites)
        hosts += [f"site{site}-{rank // 2}" for rank in range(size)]
    return hosts


def platform_ranks(place: Place) -> int:
    """How many ranks a job on the emulated platform has."""
    argv = [str(place.program), "platform", str(place.platform), "--format", "json"]
    said = subprocess.run(argv, capture_output=True, text=True, check=False)
    if said.returncode != 0:
        raise BadRequest(said.stderr.strip().removeprefix("isthmus: "))
    return len(json.loads(said.stdout)["hosts"]) * place.ranks_per_host


def launcher(place: Place, settings: dict[str, str] | None, served: list[str]) -> Launch:
    """Starts cases plain (settings None) or under the drop-in, whose report is added to `served`."""

    def launch(case: Case) -> Ended:
        with tempfile.TemporaryDirectory(prefix="isthmus-suite-") as folder:
            report = Path(folder) / "report"
            environment = {name: value for name, value in os.environ.items() if not name.startswith("ISTHMUS_")}
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "TMPDIR": folder}
            environment |= case.environment
            if settings is not None:
                environment |= {"ISTHMUS_REPORT": str(report)} | settings
            start = emulated if place.platform else local
            ended = run_whole(
                start(place, case, settings is not None, folder),
                environment,
                Path(folder),
                case.timeout_s or place.timeout_s,
                20 if place.platform else 3,
            )
            if report.exists():
                served.append(report.read_text())
            return ended

    return launch


def local(place: Place, case: Case, drop_in: bool, folder: str) -> list[str]:
    argv = [*case.argv]
    if drop_in and place.gateways:
        return [
            "/usr/bin/python3", str(NO_ROUTES), "--mpirun", place.mpi.launcher, "--drop-in", str(place.library),
            "--ranks", str(case.ranks), "--gateways", str(place.gateways), "--idle-gateways", "--alternate",
            "--", *argv,
        ]  # fmt: skip
    if drop_in:
        argv = [str(HERE / "as_rank"), str(place.library), ",".join(hosts_of(case.ranks, place.sites)), *argv]
    options = [] if place.mpi.name == "mpich" else [*OPEN_MPI, "--mca", "btl_vader_backing_directory", folder]
    return [place.mpi.launcher, *options, "-n", str(case.ranks), *argv]


def emulated(place: Place, case: Case, drop_in: bool, folder: str) -> list[str]:
    options = ["--drop-in"] if drop_in else []
    # What lies in this machine's /tmp is not seen there, but for these folders.
    return [
        str(place.program), "run", str(place.platform), *options, "--ranks-per-host", str(place.ranks_per_host),
        "--writable", folder, "--writable", str(place.work), "--", *case.argv,
    ]  # fmt: skip
