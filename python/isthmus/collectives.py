"""Collectives and their algorithms as objects."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from . import _core
from ._core import Algorithm, BadInput


@dataclass(frozen=True)
class Collective:
    """One collective operation with its algorithms.

    Parameters
    ----------
    name : str
        As "broadcast".
    has_root : bool
        Whether one rank is the root.
    has_operator : bool
        Whether operands are combined.
    has_counts : bool
        Whether blocks may differ in size.
    algorithms : tuple of Algorithm
        In the order of `isthmus list`; an id between brackets gives one of them.

    Raises
    ------
    BadInput
        When there is no algorithm of the id between the brackets.

    Examples
    --------
    >>> broadcast = isthmus.collective("broadcast")
    >>> broadcast["magpie"].name
    'broadcast/magpie'
    """

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
        raise BadInput(f"{self.name} has no algorithm {id!r}; one of {known} would be right")

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
    """Gives a collective by its name.

    Parameters
    ----------
    name : str
        As "broadcast".

    Returns
    -------
    Collective
        The collective with its algorithms.

    Raises
    ------
    BadInput
        When there is none, with the near matches.

    Examples
    --------
    >>> isthmus.collective("allreduce").has_operator
    True
    """
    return Collective(
        name, _core.has_root(name), _core.has_operator(name), _core.has_counts(name), tuple(_core.algorithms_of(name))
    )


def collectives() -> tuple[Collective, ...]:
    """Gives all collectives that have algorithms.

    Returns
    -------
    tuple of Collective
        In the order of `isthmus list`.

    Examples
    --------
    >>> [one.name for one in isthmus.collectives()][:3]
    ['broadcast', 'barrier', 'reduce']
    """
    return tuple(collective(name) for name in _core.collective_names())
