"""The OSU micro-benchmarks: a program a collective."""

from .building import attempt, copy_once, need_tools, step
from .cases import BadRequest, Case, Launch, Outcome, Suite
from .timings import outcomes_of


class Osu(Suite):
    selected = r"collective/(blocking/)?osu_(?!i|ne)\w+$"
    is_benchmark = True

    def build(self) -> None:
        if not (self.folder / "configure").exists() or not list(self.folder.rglob("osu_bcast.c")):
            raise BadRequest(f"{self.folder}: not OSU's micro-benchmarks, which have a configure and an osu_bcast.c")
        need_tools(["make", self.mpi.cc, self.mpi.cxx], "make, libopenmpi-dev, libmpich-dev")
        copy_once(self.folder, self.source)
        if not (self.work / "configured").exists():
            step(["sh", "./configure", f"CC={self.mpi.cc}", f"CXX={self.mpi.cxx}"], self.source, self.log)
            (self.work / "configured").touch()
        # All files of a checkout have about the same time stamp: keep make from running autoconf again.
        kept = [f"{tool}=:" for tool in ("ACLOCAL", "AUTOCONF", "AUTOHEADER", "AUTOMAKE")]
        attempt(["make", "-k", *kept], self.source, self.log)

    def cases(self, launch: Launch) -> list[Case]:
        sizes = self.options.sizes
        found = []
        for path in sorted(self.source.rglob("osu_*")):
            name = path.relative_to(self.source).as_posix()
            if path.suffix or ".libs" in name or not path.is_file() or not self.select.search(name):
                continue
            messages = () if "barrier" in path.name else ("-m", f"{min(sizes)}:{max(sizes)}")
            argv = (str(path), "-f", "-i", str(self.options.iterations), "-x", "2", *messages)
            found.append(Case(name, self.options.ranks or 4, argv))
        return found

    def outcomes(self, case: Case, launch: Launch) -> dict[str, Outcome]:
        return outcomes_of(case, launch(case), self.options.sizes)
