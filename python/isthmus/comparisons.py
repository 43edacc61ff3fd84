"""Rows of a table held against each other; what is computed is what the report of `isthmus validate` shows too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    import pandas

Time = tuple[int, str, float]


def with_cells(frame: pandas.DataFrame, columns: Sequence[str]) -> pandas.DataFrame:
    """The frame with the number of each row's cell: rows that agree in `columns` are of one, and only they compare."""
    return frame.assign(cell=frame.groupby(list(columns), sort=True).ngroup())


def times(frame: pandas.DataFrame) -> list[Time]:
    """Cell, plan (column `name`) and seconds of each row of a frame that has gone through with_cells()."""
    return list(zip(frame["cell"].tolist(), frame["name"].tolist(), frame["seconds"].tolist()))


def over_bound(frame: pandas.DataFrame) -> list[float]:
    """How many times its lower bound each row takes; NaN where none is known."""
    return _core.over_bounds(frame["seconds"].tolist(), frame["bound_seconds"].astype("float64").tolist())
