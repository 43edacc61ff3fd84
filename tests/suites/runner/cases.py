"""Shared by all suites: their cases, the outcome of a case, and what they need of the machine."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .processes import Ended


class Lacking(Exception):
    """The machine lacks something that a suite needs; the message says what, and how to get it."""


class BadRequest(Exception):
    """What was asked for cannot be done; the message says why."""


@dataclass(frozen=True)
class Mpi:
    """An MPI: the names of its compilers and of its launcher."""

    name: str
    cc: str
    cxx: str
    fortran: str
    launcher: str


@dataclass(frozen=True)
class Options:
    """The options that suites need."""

    select: str | None
    ranks: int | None
    sizes: tuple[int, ...]
    iterations: int
    problem_class: str
    timeout_s: float


@dataclass(frozen=True)
class Case:
    """A program with its arguments, started once; its tests may be many."""

    name: str
    ranks: int
    argv: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)
    timeout_s: float | None = None
    expects_failure: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a test ended: pass, skip, fail, crash, hang, or absent (not built, not reached). Seconds where measured."""

    status: str
    seconds: float | None = None
    detail: str = ""


# Starts a case, plain or under the drop-in, with no other difference.
Launch = Callable[[Case], Ended]


class Suite(ABC):
    """What is known of a suite, built from the user's folder into the folder `work`.

    `selected`: the tests that are taken when nothing is asked for.
    """

    selected: str
    is_benchmark: bool

    def __init__(self, folder: Path, work: Path, mpi: Mpi, options: Options):
        self.folder, self.work, self.mpi, self.options = folder, work, mpi, options
        self.source, self.log = work / "source", work / "log"
        self.select = re.compile(options.select or self.selected)

    @abstractmethod
    def build(self) -> None:
        """Builds what is not built. The user's folder stays as it is."""

    @abstractmethod
    def cases(self, launch: Launch) -> list[Case]:
        """The cases that are selected."""

    @abstractmethod
    def outcomes(self, case: Case, launch: Launch) -> dict[str, Outcome]:
        """Runs a case; its tests by name."""


def failure(ended: Ended) -> Outcome:
    """Of a program that has not passed: hang, crash, or fail."""
    lines = [line for line in ended.output.splitlines() if line.strip(" -*")]
    detail = "\n".join(lines[:20])
    if ended.status is None:
        return Outcome("hang", detail=detail)
    killed = re.search(r"on signal \d+|EXIT STRING|Segmentation fault|Signal code", ended.output)
    return Outcome("crash" if killed or ended.status < 0 or ended.status > 128 else "fail", detail=detail)
