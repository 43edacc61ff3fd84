"""MPICH's test suite, test/mpi of its source: a program, its ranks and arguments on a line of a `testlist`."""

import re
from pathlib import Path

from .building import attempt, copy_once, need_tools, step
from .cases import BadRequest, Case, Launch, Options, Outcome, Suite, failure

CONFIGURE = ("--enable-threads=multiple", "--enable-fortran=no", "--disable-cxx", "--disable-spawn")
# Some call what MPI-1 had; Open MPI's header would hide it from C11.
FLAGS = "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 -DOMPI_REMOVED_USE_STATIC_ASSERT=0"
# Conditions of lines that say how a test is run, not with what.
NOT_RUN = ("xfail=", "mem=")


class Mpich(Suite):
    selected = r"^(coll|threads)/"
    is_benchmark = False

    def build(self) -> None:
        tests = self.folder / "test" / "mpi"
        if not any((tests / name).exists() for name in ("testlist", "testlist.in")):
            raise BadRequest(f"{self.folder}: not MPICH's source, whose test/mpi has a testlist")
        need_tools(["make", self.mpi.cc], "make, libopenmpi-dev, libmpich-dev")
        copy_once(tests, self.source)
        if not (self.source / "configure").exists():
            self.generate()
        if not (self.work / "configured").exists():
            compilers = {"CC": self.mpi.cc, "MPICC": self.mpi.cc, "CXX": self.mpi.cxx, "MPICXX": self.mpi.cxx}
            self.step("./configure", *CONFIGURE, **compilers, CPPFLAGS=FLAGS)
            (self.work / "configured").touch()
        programs: dict[Path, set[str]] = {}
        for case in self.listed():
            program = Path(case.argv[0])
            programs.setdefault(program.parent, set()).add(program.name)
        for where, names in programs.items():
            # What this MPI cannot compile is absent from both sides.
            attempt(["make", "-k", *sorted(names)], where, self.log)

    def generate(self) -> None:
        """A repository has no `configure` yet; MPICH's autogen.sh would make it from these parts."""
        need_tools(["autoreconf", "automake", "libtoolize"], "autoconf, automake, libtool")
        for missing in (self.source / "confdb", self.source / "dtpools" / "confdb"):
            copy_once(self.folder / "confdb", missing)
        (self.source / "version.m4").write_bytes((self.folder / "maint" / "version.m4").read_bytes())
        # Names of MPICH's extensions that are to become standard: tests that use them need MPICH's next version.
        (self.source / "include" / "mtest_mpix.h").touch()
        self.step("sh", "autogen.sh")
        self.step("autoreconf", "-i")

    def step(self, *argv: str, **environment: str) -> None:
        step([*argv], self.source, self.log, environment)

    def cases(self, launch: Launch) -> list[Case]:
        return self.listed()

    def listed(self) -> list[Case]:
        found = {case.name: case for case in read_list(self.source, self.source, self.options)}
        return [case for case in found.values() if self.select.search(case.name)]

    def outcomes(self, case: Case, launch: Launch) -> dict[str, Outcome]:
        if not Path(case.argv[0]).exists():
            return {case.name: Outcome("absent", detail="not built")}
        ended = launch(case)
        if case.expects_failure:
            passed = ended.status is not None and ended.status != 0
        else:
            passed = ended.status == 0 and re.search(r"^\s*No [Ee]rrors", ended.output, re.M) is not None
        return {case.name: Outcome("pass") if passed else failure(ended)}


def read_list(folder: Path, top: Path, options: Options) -> list[Case]:
    """The cases of a folder's lists and of the folders that they name."""
    cases = []
    for name in ("testlist", "testlist.dtp"):
        if not (folder / name).exists():
            continue
        for line in (folder / name).read_text().splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if len(words) == 1 and (folder / words[0]).is_dir():
                cases += read_list(folder / words[0], top, options)
            elif len(words) > 1 and words[1].isdigit() and not any(w.startswith(NOT_RUN) for w in words):
                cases.append(case_of(words, folder, top, options))
    return cases


def case_of(words: list[str], folder: Path, top: Path, options: Options) -> Case:
    settings = [word.split("=", 1) for word in words[2:] if "=" in word]
    arguments = [value for key, value in settings if key == "arg"]
    ranks = options.ranks or int(words[1])
    limits = [float(value) for key, value in settings if key == "timeLimit"]
    return Case(
        " ".join([f"{folder.relative_to(top)}/{words[0]}", str(ranks), *arguments]),
        ranks,
        (str(folder / words[0]), *arguments),
        dict(value.split("=", 1) for key, value in settings if key == "env"),
        max([options.timeout_s, *limits]),
        any(key == "resultTest" for key, _ in settings),
    )
