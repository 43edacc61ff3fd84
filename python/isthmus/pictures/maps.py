"""Maps over message size and number of ranks: the best plan, and the cost of a model's choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import BadInput
from ..arguments import list_of
from ..comparisons import times, with_cells
from .style import (
    PANEL,
    SOFT,
    SOURCE_LABELS,
    Picture,
    cell_styles,
    in_look,
    left_labels_only,
    legend_beside,
    panels,
    require,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def _grid(frame: pandas.DataFrame, rows_by: str) -> tuple[list[int], list[Any]]:
    return sorted(frame["bytes"].unique()), sorted(frame[rows_by].unique())


def _cells(axis: Axes, sizes: list[int], rows: list[Any], rows_by: str) -> None:
    """The edges of cells, one cell a size: on a scale of doubling sizes all cells have the same width."""
    step = max(1, -(-len(sizes) // 8))
    axis.set_xticks(
        [i + 0.5 for i in range(0, len(sizes), step)],
        [_core.format_bytes(int(size)) for size in sizes[::step]],
        rotation=40,
        ha="right",
        rotation_mode="anchor",
    )
    row_step = max(1, -(-len(rows) // 16))
    axis.set_yticks([i + 0.5 for i in range(0, len(rows), row_step)], [str(row) for row in rows[::row_step]])
    axis.set_xlim(0, len(sizes))
    axis.set_ylim(0, len(rows))
    axis.set_xlabel("message size")
    axis.set_ylabel("number of ranks" if rows_by == "ranks" else rows_by)
    axis.grid(False)


def _best(frame: pandas.DataFrame, cell: list[str]) -> pandas.DataFrame:
    """The quickest plan of each cell: index `cell`; columns name, seconds."""
    quickest = frame.iloc[_core.quickest(times(with_cells(frame, cell)))]
    return quickest.set_index(cell)[["name", "seconds"]]


# What may differ between rows of one cell without a reader being able to see it, the cell's own columns apart.
APART = ["network_digest", "placement", "root", "element_bytes", "ranks"]


def _prepared(frame: pandas.DataFrame, rows_by: str, picture: str) -> tuple[pandas.DataFrame, list[str]]:
    """The frame with a column `name`, and the columns that define a panel. Raises BadInput if a cell would hold times
    of different calls, which cannot be compared."""
    require(frame, ["platform", "collective", "algorithm", "source", "bytes", "seconds", rows_by], picture)
    if rows_by == "collective":
        raise BadInput(
            "rows_by: 'collective'; times of different collectives have panels of their own; "
            "ranks or platform would be right"
        )
    frame = frame.copy()
    frame["name"] = frame["requested"] if "requested" in frame else frame["algorithm"]
    panel = ["collective"] + (["platform"] if rows_by != "platform" else [])
    cell = [*panel, "source", rows_by, "bytes"]
    # On a map by ranks the placement changes with the number of ranks.
    hidden = [column for column in APART if column in frame and column not in cell]
    for column in hidden:
        mixed = frame.groupby([*cell, "name"], dropna=False)[column].nunique(dropna=False)
        if (mixed > 1).any():
            where = dict(zip([*cell, "name"], mixed[mixed > 1].index[0]))
            values = frame.loc[(frame[list(where)] == list(where.values())).all(axis=1), column].unique()
            raise BadInput(
                f"frame: {where['collective']}/{where['name']} of {_core.format_bytes(int(where['bytes']))} on "
                f"{frame.loc[frame['name'] == where['name'], 'platform'].iloc[0]} has rows that differ in {column} "
                f"({', '.join(map(str, values[:3]))}); one of them, or rows_by={column!r}, would be right"
            )
    return frame, panel


def _titles(frame: pandas.DataFrame, panel: list[str]) -> list[tuple[tuple[Any, ...], str]]:
    """The panels in the order of the frame, each with a title that identifies it."""
    keys = list(dict.fromkeys(frame[panel].itertuples(index=False, name=None)))
    shown = [i for i, column in enumerate(panel) if column in ("collective", "platform")]
    return [(key, ", ".join(str(key[i]) for i in shown)) for key in keys]


@in_look
def decision_map(frame: pandas.DataFrame, rows_by: str = "ranks") -> Picture:
    """Draws which plan is quickest over message size and number of ranks.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.
    rows_by : str
        What the rows of the map are: "ranks" or "platform".

    Returns
    -------
    Picture
        A figure with one panel a collective, platform and source.

    Raises
    ------
    BadInput
        When a cell would hold times of different calls, such as those of several roots.

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models="replay")
    >>> isthmus.pictures.decision_map(frame).savefig("map.svg")
    """
    frame, panel = _prepared(frame, rows_by, "decision_map")
    titles = [
        (key, source, title)
        for key, title in _titles(frame, panel)
        for source in dict.fromkeys(frame["source"])
        if ((frame[panel] == list(key)).all(axis=1) & (frame["source"] == source)).any()
    ]
    picture, axes = panels(len(titles), 4.4, 3.4)
    decisions = _best(frame, [*panel, "source", rows_by, "bytes"])["name"]
    chosen = set(decisions)
    styles = cell_styles(name for name in frame["name"] if name in chosen)
    from matplotlib.patches import Patch, Rectangle

    for axis, (key, source, title) in zip(axes, titles):
        sizes, rows = _grid(frame[(frame[panel] == list(key)).all(axis=1)], rows_by)
        for y, row in enumerate(rows):
            for x, size in enumerate(sizes):
                name = decisions.get((*key, source, row, size))
                if name is not None:
                    axis.add_patch(Rectangle((x, y), 1, 1, linewidth=0.4, **styles[name]))
        axis.set_title(f"{title}\nquickest by {SOURCE_LABELS.get(source, source)}")
        _cells(axis, sizes, rows, rows_by)
    if rows_by != "platform":
        left_labels_only(axes)
    legend_beside(picture, [Patch(label=name, **style) for name, style in styles.items()])
    return picture


def penalties(frame: pandas.DataFrame, model: str, measured: str, rows_by: str = "ranks") -> pandas.DataFrame:
    """Lists what it costs to take the plan that a model finds quickest.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.
    model : str
        The source that chooses.
    measured : str
        The source that says how long the plans take.
    rows_by : str
        What the rows of the map are: "ranks" or "platform".

    Returns
    -------
    pandas.DataFrame
        One row a call: collective, platform, the column `rows_by`, bytes, chosen, best (plans), seconds (of the chosen
        plan), best_seconds, penalty_percent.

    Raises
    ------
    BadInput
        When no row is from one of the sources; when a row would hold times of different calls.

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models=["plogp", "replay"])
    >>> isthmus.pictures.penalties(frame, "plogp", "replay")[["bytes", "best"]]
       bytes      best
    0      1  kielmann
    1   1024    magpie
    """
    frame, panel = _prepared(frame, rows_by, "penalties")
    for argument, source in (("model", model), ("measured", measured)):
        if source not in set(frame["source"]):
            raise BadInput(
                f"{argument}: no row is from {source!r}; there are {', '.join(dict.fromkeys(frame['source']))}"
            )
    cell = list(dict.fromkeys([*panel, "platform", rows_by, "bytes"]))
    frame = with_cells(frame, cell)
    truth = frame[frame["source"] == measured]
    found = _core.penalties(times(frame[frame["source"] == model]), times(truth))
    chosen, best = truth.iloc[[one[0] for one in found]], truth.iloc[[one[1] for one in found]]
    table = best[cell].reset_index(drop=True)
    table["chosen"], table["best"] = chosen["name"].to_numpy(), best["name"].to_numpy()
    table["seconds"], table["best_seconds"] = chosen["seconds"].to_numpy(), best["seconds"].to_numpy()
    table["penalty_percent"] = [one[2] for one in found]
    return table[[*cell, "chosen", "best", "seconds", "best_seconds", "penalty_percent"]]


@in_look
def penalty_map(frame: pandas.DataFrame, model: str | Sequence[str], measured: str, rows_by: str = "ranks") -> Picture:
    """Draws what it costs to take the plan that a model finds quickest.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.
    model : str or list of str
        The sources that choose, one panel each.
    measured : str
        The source that says how long the plans take.
    rows_by : str
        What the rows of the map are: "ranks" or "platform".

    Returns
    -------
    Picture
        A figure with one panel a collective, platform and model; the penalty in percent stands in each cell that has
        one.

    Raises
    ------
    BadInput
        When the sources have no plan of one call in common; as penalties() does.

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models=["plogp", "replay"])
    >>> isthmus.pictures.penalty_map(frame, "plogp", "replay").savefig("penalties.svg")
    """
    models = list_of("model", model, (str,), "a source or a list of sources")
    prepared, panel = _prepared(frame, rows_by, "penalty_map")
    tables = {name: penalties(frame, name, measured, rows_by) for name in models}
    wanted = [
        (key, name, title)
        for key, title in _titles(prepared, panel)
        for name in models
        if (tables[name][panel] == list(key)).all(axis=1).any()
    ]
    if not wanted:
        raise BadInput(f"model: {', '.join(models)} and {measured} have no plan of one call in common")
    every = _grid(prepared, rows_by)
    picture, axes = panels(len(wanted), max(4.4, 0.36 * len(every[0]) + 1.2), max(2.6, 0.3 * len(every[1]) + 1.2))
    from matplotlib import colormaps

    shades = colormaps["cividis_r"].copy()
    shades.set_under(PANEL)  # what costs nothing
    most = max(10.0, *(table["penalty_percent"].max() for table in tables.values() if len(table)))
    for axis, (key, name, title) in zip(axes, wanted):
        table = tables[name][(tables[name][panel] == list(key)).all(axis=1)]
        sizes, rows = _grid(prepared[(prepared[panel] == list(key)).all(axis=1)], rows_by)
        grid = [[float("nan")] * len(sizes) for _ in rows]
        for one in table.itertuples():
            grid[rows.index(getattr(one, rows_by))][sizes.index(one.bytes)] = one.penalty_percent
        drawn = axis.pcolormesh(grid, cmap=shades, vmin=0.5, vmax=most, edgecolors="white", linewidth=0.4)
        for y, row in enumerate(grid):
            for x, value in enumerate(row):
                if value >= 0.5:
                    axis.text(
                        x + 0.5,
                        y + 0.5,
                        f"{value:.0f}",
                        ha="center",
                        va="center",
                        fontsize=7,
                        color="white" if value > 0.55 * most else "black",
                    )
        axis.set_title(f"{title}\nchoice of {name} in {measured}")
        _cells(axis, sizes, rows, rows_by)
    if rows_by != "platform":
        left_labels_only(axes)
    bar = picture.colorbar(drawn, ax=axes, fraction=0.03, pad=0.02)
    bar.set_label("penalty (%)")
    bar.outline.set_edgecolor(SOFT)
    return picture
