"""The NAS parallel benchmarks, NPB3.x-MPI: a program a kernel, of one class of size."""

import re
from pathlib import Path

from .building import attempt, copy_once, need_tools
from .cases import BadRequest, Case, Launch, Outcome, Suite, failure

KERNELS = ("is", "ep", "cg", "mg", "ft", "bt", "sp", "lu")
MAKE_DEF = """\
MPIFC = {fortran}
MPIF77 = {fortran}
FC = {fortran}
FLINK = {fortran}
FFLAGS = -O2 -fallow-argument-mismatch -fallow-invalid-boz
FLINKFLAGS = -O2
MPICC = {cc}
CLINK = {cc}
CFLAGS = -O2
CLINKFLAGS = -O2
CC = cc
BINDIR = ../bin
RAND = randi8
"""


class Npb(Suite):
    selected = ""
    is_benchmark = True

    def top(self, folder: Path) -> Path:
        """Where the kernels lie: the folder, or the newest NPB3.x-MPI in it."""
        return next(
            (each for each in (folder, *sorted(folder.glob("NPB3*-MPI"), reverse=True)) if (each / "IS").is_dir()),
            folder,
        )

    def build(self) -> None:
        if not (self.top(self.folder) / "IS" / "is.c").exists():
            raise BadRequest(f"{self.folder}: not NPB3.x-MPI, which has a folder for each kernel, IS/is.c among them")
        need_tools(["make", self.mpi.cc, self.mpi.fortran], "make, gfortran, libopenmpi-dev, libmpich-dev")
        copy_once(self.top(self.folder), self.source)
        (self.source / "bin").mkdir(exist_ok=True)
        (self.source / "config" / "make.def").write_text(MAKE_DEF.format(cc=self.mpi.cc, fortran=self.mpi.fortran))
        for case in self.listed():
            if not Path(case.argv[0]).exists():
                what = [case.name.partition(".")[0], f"CLASS={self.options.problem_class}", f"NPROCS={case.ranks}"]
                attempt(["make", *what], self.source, self.log)

    def cases(self, launch: Launch) -> list[Case]:
        return self.listed()

    def listed(self) -> list[Case]:
        """Before 3.4 a program is made for a number of ranks."""
        ranks = self.options.ranks or 4
        names = [f"{kernel}.{self.options.problem_class}" for kernel in KERNELS]
        programs = {name: self.source / "bin" / f"{name}.{ranks}" for name in names}
        return [
            Case(name, ranks, (str(program if program.exists() else program.with_suffix(".x")),))
            for name, program in programs.items()
            if self.select.search(name)
        ]

    def outcomes(self, case: Case, launch: Launch) -> dict[str, Outcome]:
        if not Path(case.argv[0]).exists():
            return {case.name: Outcome("absent", detail="not built")}
        ended = launch(case)
        seconds = re.search(r"Time in seconds\s*=\s*([\d.]+)", ended.output)
        if ended.status != 0 or not seconds or not re.search(r"Verification\s*=\s*SUCCESSFUL", ended.output):
            return {case.name: failure(ended)}
        return {case.name: Outcome("pass", float(seconds[1]))}
