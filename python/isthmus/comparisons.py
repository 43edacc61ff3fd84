"""Comparisons of rows of a table, by the same functions as the report of `isthmus validate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core
from ._core import BadInput
from .arguments import wrong_type
from .descriptions import described

if TYPE_CHECKING:
    import pandas

Time = tuple[int, str, float]

# What defines one call, beside where its time comes from.
CALL = ["platform", "network_digest", "placement", "ranks", "collective", "bytes", "element_bytes", "root"]


@described
def best(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Gives the quickest row of each call and source.

    {Parameters: records}

    Returns
    -------
    pandas.DataFrame
        These rows, whole and in the order of the frame. Rows that failed are not among them.

    {Raises BadInput: When the frame lacks a column.}

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,64Ki", models="replay")
    >>> isthmus.best(frame)[["bytes", "algorithm", "seconds"]]
        bytes algorithm   seconds
    20      1  kielmann  0.010151
    29  65536    packed  0.042115
    """
    frame, rows = _named(frame), _rows_with_seconds(frame)
    cells = with_cells(frame.loc[rows], _columns_of(frame, [*CALL, "source"]))
    return frame.loc[sorted(cells.index[_core.quickest(times(cells))], key=frame.index.get_loc)].drop(columns="name")


@described
def speed_up(frame: pandas.DataFrame, over: str) -> pandas.DataFrame:
    """Adds how many times quicker each row is than another plan at the same call, by the same source.

    Parameters
    ----------
    {records}
    over : str
        The other plan, as it was asked for: "binomial", "mpi:selector=han", or "broadcast/binomial".

    Returns
    -------
    pandas.DataFrame
        The same rows with a column speed_up: above 1 is quicker; 1 for the other plan, NaN where it has no row.

    {Raises BadInput: When `over` is no plan of the frame, or the frame lacks a column.}

    Examples
    --------
    >>> frame = das.predict(["broadcast/magpie", "broadcast/binomial"], "1,64Ki", models="replay")
    >>> isthmus.speed_up(frame, over="binomial")[["algorithm", "bytes", "speed_up"]].round(2)
      algorithm  bytes  speed_up
    0    magpie      1      1.99
    1    magpie  65536      1.13
    2  binomial      1      1.00
    3  binomial  65536      1.00
    """
    given, frame = frame, _named(frame)
    collective, plan = collective_and_plan(over)
    if plan not in set(frame["name"][frame["collective"] == collective] if collective else frame["name"]):
        names = ", ".join(dict.fromkeys(frame["name"]))
        raise BadInput(f"over: {over!r} is no plan of the frame; one of {names} would be right")
    cells = with_cells(frame, _columns_of(frame, [*CALL, "source"]))
    if collective:
        cells = cells[cells["collective"] == collective]
    ratios = dict(zip(cells.index, _core.speed_ups(times(cells), plan)))
    ratios.update({row: 1.0 for row in cells.index[(cells["name"] == plan) & cells["seconds"].notna()]})
    return given.assign(speed_up=[ratios.get(row, float("nan")) for row in frame.index])


@described
def regret(frame: pandas.DataFrame, model: str, measured: str) -> pandas.DataFrame:
    """Lists what it costs to take the plan that a model finds quickest.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them, with rows of both sources.
    {model, measured}

    Returns
    -------
    pandas.DataFrame
        One row a call: the columns that define it, chosen and best (plans), seconds (of the chosen plan), best_seconds,
        and regret: their ratio minus one, 0 where the model is right.

    {Raises BadInput: When no row is from one of the sources, or the frame lacks a column.}

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models=["plogp", "replay"])
    >>> isthmus.regret(frame, "plogp", "replay")[["bytes", "chosen", "best"]]
       bytes    chosen      best
    0      1  kielmann  kielmann
    1   1024    magpie    magpie
    """
    return regret_of_cells(_named(frame), model, measured, CALL)


def regret_of_cells(frame: pandas.DataFrame, model: str, measured: str, columns: Sequence[str]) -> pandas.DataFrame:
    """regret() of a frame with a column `name`, a row for each combination of `columns`."""
    for argument, source in (("model", model), ("measured", measured)):
        if source not in set(frame["source"]):
            raise BadInput(
                f"{argument}: no row is from {source!r}; there are {', '.join(dict.fromkeys(frame['source']))}"
            )
    cell = _columns_of(frame, columns)
    frame = with_cells(frame[frame["seconds"].notna()], cell)
    truth = frame[frame["source"] == measured]
    found = _core.penalties(times(frame[frame["source"] == model]), times(truth))
    chosen, quickest = truth.iloc[[one[0] for one in found]], truth.iloc[[one[1] for one in found]]
    result = quickest[cell].reset_index(drop=True)
    result["chosen"], result["best"] = chosen["name"].to_numpy(), quickest["name"].to_numpy()
    result["seconds"], result["best_seconds"] = chosen["seconds"].to_numpy(), quickest["seconds"].to_numpy()
    result["regret"] = [one[2] / 100 for one in found]
    return result


def collective_and_plan(over: str) -> tuple[str, str]:
    """The collective, if it is named, and the plan without it."""
    if not isinstance(over, str):
        raise wrong_type("over", over, "a plan, as 'binomial' or 'broadcast/binomial'")
    collective, _, plan = over.partition("/") if "/" in over.partition(":")[0] else ("", "", over)
    return collective, plan


def _named(frame: pandas.DataFrame) -> pandas.DataFrame:
    """The frame with each plan as it was asked for in a column `name`."""
    import pandas

    if not isinstance(frame, pandas.DataFrame):
        raise wrong_type("frame", frame, "a table of sweep() or predict()")
    missing = [column for column in ("collective", "algorithm", "bytes", "source", "seconds") if column not in frame]
    if missing:
        raise BadInput(f"frame: has no column {', '.join(missing)}; a table of sweep() or predict() would be right")
    frame = frame.reset_index(drop=True)
    return frame.assign(name=plan_names(frame))


def plan_names(frame: pandas.DataFrame) -> pandas.Series:
    """Each plan as it was asked for, without its collective."""
    return frame["requested"].fillna(frame["algorithm"]) if "requested" in frame else frame["algorithm"]


def _rows_with_seconds(frame: pandas.DataFrame) -> list[int]:
    return [number for number, seconds in enumerate(frame["seconds"].notna()) if seconds]


def _columns_of(frame: pandas.DataFrame, columns: Sequence[str]) -> list[str]:
    return [column for column in columns if column in frame]


def with_cells(frame: pandas.DataFrame, columns: Sequence[str]) -> pandas.DataFrame:
    """The frame with a cell number for each row: rows that agree in `columns` form a cell and are compared."""
    return frame.assign(cell=frame.groupby(list(columns), sort=True, dropna=False).ngroup())


def refuse_mixed(frame: pandas.DataFrame, cell: Sequence[str], columns: Sequence[str], right: str) -> None:
    """Raises BadInput if rows of one cell and plan differ in one of `columns`: they are times of different calls."""
    for column in _columns_of(frame, columns):
        for _, rows in frame.groupby([*cell, "name"], dropna=False):
            if rows[column].nunique(dropna=False) > 1:
                one = rows.iloc[0]
                raise BadInput(
                    f"frame: {one['collective']}/{one['name']} of {_core.format_bytes(int(one['bytes']))} on "
                    f"{one['platform']} has rows that differ in {column} "
                    f"({', '.join(map(str, rows[column].unique()[:3]))}); {right.format(column)} would be right"
                )


def times(frame: pandas.DataFrame) -> list[Time]:
    """Cell, plan (column `name`) and seconds of each row of a frame from with_cells()."""
    return list(zip(frame["cell"].tolist(), frame["name"].tolist(), frame["seconds"].tolist()))


def over_bound(frame: pandas.DataFrame) -> list[float]:
    """Seconds over the lower bound of each row; NaN where no bound is known."""
    return _core.over_bounds(frame["seconds"].tolist(), frame["bound_seconds"].astype("float64").tolist())
