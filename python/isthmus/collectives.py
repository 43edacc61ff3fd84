"""Collectives and their algorithms as objects."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from . import _core
from ._core import Algorithm, BadInput


@dataclass(frozen=True)
class Collective:
    """One collective operation with its algorithms: `collective("broadcast")["kielmann"]`."""

    name: str
    has_root: bool  #: one rank is the root
    has_operator: bool  #: operands are combined
    has_counts: bool  #: blocks may differ in size
    algorithms: tuple[Algorithm, ...]

    def __getitem__(self, id: str) -> Algorithm:
        for algorithm in self.algorithms:
            if algorithm.id == id:
                return algorithm
        known = ", ".join(algorithm.id for algorithm in self.algorithms)
        raise BadInput(f"{self.name} has no algorithm {id!r}; there are {known}")

    def __iter__(self) -> Iterator[Algorithm]:
        return iter(self.algorithms)

    def __str__(self) -> str:
        return self.name

    def _repr_html_(self) -> str:
        cell = '<td style="text-align:left">'
        rows = "".join(
            f"<tr>{cell}<code>{escape(a.name)}</code></td>{cell}{escape(a.summary)}</td>"
            f"{cell}{escape(', '.join(a.parameters))}</td>{cell}{escape(a.paper)}</td></tr>"
            for a in self.algorithms
        )
        return f"<table><tr><th>algorithm</th><th>what</th><th>parameters</th><th>paper</th></tr>{rows}</table>"


def collective(name: str) -> Collective:
    """Raises BadInput with the near matches."""
    return Collective(
        name, _core.has_root(name), _core.has_operator(name), _core.has_counts(name), tuple(_core.algorithms_of(name))
    )


def collectives() -> tuple[Collective, ...]:
    """All that have algorithms, in the order of `isthmus list`."""
    return tuple(collective(name) for name in _core.collective_names())
