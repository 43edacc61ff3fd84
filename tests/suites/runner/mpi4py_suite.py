"""mpi4py's tests: the classes of its unit tests, each a job in which every rank says how its tests ended."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .building import copy_once, need_tools, step
from .cases import BadRequest, Case, Lacking, Launch, Outcome, Suite, failure
from .processes import Ended

INSIDE = Path(__file__).resolve().parent / "mpi4py_rank.py"


class Mpi4py(Suite):
    selected = r"^test_cco_"
    is_benchmark = False

    def build(self) -> None:
        if not (self.folder / "test").is_dir() or not (self.folder / "src" / "mpi4py").is_dir():
            raise BadRequest(f"{self.folder}: not mpi4py's source, which has folders test and src/mpi4py")
        copy_once(self.folder, self.source)
        self.package = self.work / "package"
        if self.package.is_dir() or self.is_installed():
            return
        need_tools([self.mpi.cc, "cython3"], "libopenmpi-dev, libmpich-dev, cython3")
        environment = {"MPICC": self.mpi.cc, "CYTHON": "cython3"}
        step([sys.executable, "setup.py", "build", "--build-lib", "build/lib"], self.source, self.log, environment)
        (self.source / "build" / "lib").rename(self.package)

    def is_installed(self) -> bool:
        """Whether Python has this version of mpi4py; Debian's is over Open MPI."""
        version = re.search(r"__version__ = '([^']+)'", (self.folder / "src" / "mpi4py" / "__init__.py").read_text())
        said = subprocess.run(
            [sys.executable, "-c", "import mpi4py; print(mpi4py.__version__)"],
            capture_output=True,
            text=True,
            check=False,
        )
        return self.mpi.name == "openmpi" and version is not None and said.stdout.strip() == version[1]

    def cases(self, launch: Launch) -> list[Case]:
        ranks = self.options.ranks or 4
        ended, lists = self.start("list", ranks, ["--list"], launch)
        if not lists[0]:
            raise Lacking(
                f"mpi4py's tests cannot be listed: {(ended.output.strip().splitlines() or ['no output'])[-1]}"
            )
        # The tests of a class share a job.
        classes: dict[str, list[str]] = {}
        for line in lists[0]:
            test = line.split("\t")[1]
            if self.select.search(test):
                classes.setdefault(test.rpartition(".")[0], []).append(test)
        return [Case(name, ranks, tuple(tests)) for name, tests in classes.items()]

    def start(self, name: str, ranks: int, arguments: list[str], launch: Launch) -> tuple[Ended, list[list[str]]]:
        """Runs a job; how it ended, and the lines of each rank."""
        with tempfile.TemporaryDirectory(prefix="isthmus-suite-mpi4py-") as folder:
            argv = (sys.executable, str(INSIDE), str(self.source / "test"), folder, *arguments)
            paths = [str(self.package)] if self.package.is_dir() else []
            environment = {
                "PYTHONPATH": os.pathsep.join([*paths, *filter(None, [os.environ.get("PYTHONPATH")])]),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            ended = launch(Case(name, ranks, argv, environment))
            files = [Path(folder) / str(rank) for rank in range(ranks)]
            return ended, [file.read_text().splitlines() if file.exists() else [] for file in files]

    def outcomes(self, case: Case, launch: Launch) -> dict[str, Outcome]:
        """After a test that fails, hangs or crashes, the rest of its class goes on in a new job."""
        left = list(case.argv)
        outcomes: dict[str, Outcome] = {}
        while left:
            ended, lines = self.start(case.name, case.ranks, left, launch)
            done = joined(lines)
            if ended.status != 0 or len(done) < len(left):
                # The first that did not pass on every rank is the one that ended the job.
                culprit = next((test for test in left if test not in done), left[-1])
                done = {test: outcome for test, outcome in done.items() if left.index(test) < left.index(culprit)}
                done[culprit] = blame(culprit, ended, lines)
            outcomes |= done
            left = [test for test in left if test not in done]
        return {test: outcomes[test] for test in case.argv}


def joined(lines: list[list[str]]) -> dict[str, Outcome]:
    """The tests that have passed on every rank, or been skipped on one and passed on the others."""
    words: dict[str, list[str]] = {}
    for line in (line for rank in lines for line in rank if line.startswith(("pass\t", "skip\t"))):
        word, test = line.split("\t")
        words.setdefault(test, []).append(word)
    return {test: Outcome(min(said)) for test, said in words.items() if len(said) == len(lines)}


def blame(test: str, ended: Ended, lines: list[list[str]]) -> Outcome:
    """Why a test did not pass: what a rank said, else how the job ended."""
    for rank, said in enumerate(lines):
        for word, name, *detail in (line.split("\t") for line in said):
            if word == "fail" and name == test:
                return Outcome("fail", detail=f"rank {rank}: {' '.join(detail)}")
    return failure(ended)
