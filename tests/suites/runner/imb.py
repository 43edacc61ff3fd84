"""Intel's MPI benchmarks: IMB-NBC and IMB-MPI1, a job for each of their benchmarks."""

from .building import copy_once, need_tools, step
from .cases import BadRequest, Case, Launch, Outcome, Suite
from .timings import outcomes_of

COLLECTIVES = (
    "bcast allgather allgatherv gather gatherv scatter scatterv alltoall alltoallv reduce reduce_scatter allreduce "
    "barrier"
).split()
# Those of IMB-NBC that end in _pure compute nothing meanwhile; others would never end where computing takes no time.
BENCHMARKS = {
    "NBC": [f"I{each}{pure}" for each in COLLECTIVES for pure in ("_pure", "")],
    "MPI1": [each.capitalize() for each in COLLECTIVES],
}


class Imb(Suite):
    selected = r"^NBC/.*_pure$"
    is_benchmark = True

    def chosen(self) -> dict[str, list[str]]:
        """The selected benchmarks of each program that has any."""
        chosen = {
            program: [each for each in names if self.select.search(f"{program}/{each}")]
            for program, names in BENCHMARKS.items()
        }
        return {program: names for program, names in chosen.items() if names}

    def build(self) -> None:
        if not (self.folder / "src_cpp" / "NBC").is_dir():
            raise BadRequest(f"{self.folder}: not Intel's MPI benchmarks, which have a folder src_cpp/NBC")
        need_tools(["make", self.mpi.cc, self.mpi.cxx], "make, libopenmpi-dev, libmpich-dev")
        for program in self.chosen():
            # They share object files that differ: a folder each. Their makefiles take warnings for errors.
            source = self.work / program
            copy_once(self.folder, source)
            if not (source / "src_cpp" / f"IMB-{program}").exists():
                compilers = [f"CC={self.mpi.cc} -w", f"CXX={self.mpi.cxx} -w"]
                step(["make", "-C", "src_cpp", f"TARGET={program}", *compilers], source, self.log)
        (self.work / "sizes").write_text("".join(f"{size}\n" for size in self.options.sizes))

    def cases(self, launch: Launch) -> list[Case]:
        ranks = self.options.ranks or 4
        count = str(self.options.iterations)
        options = ("-npmin", str(ranks), "-msglen", str(self.work / "sizes"), "-iter", count, "-iter_policy", "off")
        return [
            Case(f"{program}/{name}", ranks, (str(self.work / program / "src_cpp" / f"IMB-{program}"), *options, name))
            for program, names in self.chosen().items()
            for name in names
        ]

    def outcomes(self, case: Case, launch: Launch) -> dict[str, Outcome]:
        return outcomes_of(case, launch(case), self.options.sizes)
