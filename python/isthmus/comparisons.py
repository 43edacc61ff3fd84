"""Comparisons of rows of a table, by the same functions as the report of `isthmus validate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core

if TYPE_CHECKING:
    import pandas

Time = tuple[int, str, float]


def with_cells(frame: pandas.DataFrame, columns: Sequence[str]) -> pandas.DataFrame:
    """The frame with a cell number for each row: rows that agree in `columns` form a cell and are compared."""
    return frame.assign(cell=frame.groupby(list(columns), sort=True).ngroup())


def times(frame: pandas.DataFrame) -> list[Time]:
    """Cell, plan (column `name`) and seconds of each row of a frame from with_cells()."""
    return list(zip(frame["cell"].tolist(), frame["name"].tolist(), frame["seconds"].tolist()))


def over_bound(frame: pandas.DataFrame) -> list[float]:
    """Seconds over the lower bound of each row; NaN where no bound is known."""
    return _core.over_bounds(frame["seconds"].tolist(), frame["bound_seconds"].astype("float64").tolist())
