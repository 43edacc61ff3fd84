"""Maps over message size and number of ranks: the best plan, and the cost of a model's choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import BadInput
from ..arguments import list_of
from ..comparisons import plan_names, refuse_mixed, regret_of_cells, times, with_cells
from ..descriptions import described
from .labels import wrapped_title
from .layout import AxesLike, Drawn, Width, sheet
from .style import PANEL, SOFT, SOURCE_LABELS, cell_styles, in_look, require

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def _grid(frame: pandas.DataFrame, rows_by: str) -> tuple[list[int], list[Any]]:
    return sorted(frame["bytes"].unique()), sorted(frame[rows_by].unique())


def _cells(axis: Axes, sizes: list[int], rows: list[Any], rows_by: str, inches: float) -> None:
    """The edges of cells, one cell a size: on a scale of doubling sizes all cells have the same width."""
    step = max(1, -(-len(sizes) // max(2, min(8, int(1.8 * inches)))))
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


CLOSE = 5  # percent

# What may differ between rows of one cell without a reader being able to see it, the cell's own columns apart.
APART = ["network_digest", "placement", "root", "element_bytes", "ranks"]


def _prepared(frame: pandas.DataFrame, rows_by: str, picture: str) -> tuple[pandas.DataFrame, list[str]]:
    """The frame with a column `name`, and the columns that define a panel. Raises BadInput if a cell would hold times
    of different calls, which cannot be compared."""
    frame = require(frame, ["platform", "collective", "algorithm", "source", "bytes", "seconds", rows_by], picture)
    if rows_by == "collective":
        raise BadInput(
            "rows_by: 'collective'; times of different collectives have panels of their own; "
            "ranks or platform would be right"
        )
    frame["name"] = plan_names(frame)
    frame["seconds"] = frame["seconds"].where(frame["seconds"] < math.inf)
    panel = ["collective"] + (["platform"] if rows_by != "platform" else [])
    cell = [*panel, "source", rows_by, "bytes"]
    # On a map by ranks the placement changes with the number of ranks.
    hidden = [column for column in APART if column not in cell]
    refuse_mixed(frame, cell, hidden, "one of them, or rows_by={!r},")
    return frame, panel


def _titles(frame: pandas.DataFrame, panel: list[str]) -> list[tuple[tuple[Any, ...], str]]:
    """The panels in the order of the frame, each with a title that identifies it."""
    keys = list(dict.fromkeys(frame[panel].itertuples(index=False, name=None)))
    shown = [i for i, column in enumerate(panel) if column in ("collective", "platform")]
    return [(key, ", ".join(str(key[i]) for i in shown)) for key in keys]


@in_look
@described
def decision_map(
    frame: pandas.DataFrame,
    rows_by: str = "ranks",
    *,
    margins: bool = True,
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws which plan is quickest over message size and number of ranks, and by how much.

    Parameters
    ----------
    {frame, rows_by}
    margins : bool
        Whether each cell tells by how many percent the runner-up is slower; where there is no room for numbers, cells
        in which it is within 5 % are paler.
    {ax, width}

    Returns
    -------
    Picture
        A figure with one panel a collective, platform and source, or `ax`.

    {Raises BadInput: When a cell would hold times of different calls, such as those of several roots.}

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
    drawn = sheet(len(titles), ax, width, (4.4, 3.4))
    cells = [*panel, "source", rows_by, "bytes"]
    decisions = _best(frame, cells)["name"]
    runners_up = _margins(frame, cells) if margins else {}
    chosen = set(decisions)
    styles = cell_styles(name for name in frame["name"] if name in chosen)
    from matplotlib.patches import Patch, Rectangle

    is_told = is_paler = False
    for axis, (key, source, title) in zip(drawn.axes, titles):
        sizes, rows = _grid(frame[(frame[panel] == list(key)).all(axis=1)], rows_by)
        wide, high = drawn.panel_inches[0] / len(sizes), drawn.panel_inches[1] / len(rows)
        has_room = wide >= 0.27 and high >= 0.17
        for y, row in enumerate(rows):
            for x, size in enumerate(sizes):
                name = decisions.get((*key, source, row, size))
                if name is None:
                    continue
                percent = runners_up.get((*key, source, row, size))
                style = styles[name]
                if percent is not None and percent < CLOSE and not has_room:
                    is_paler = True
                    style = {**style, "facecolor": _paler(style["facecolor"])}
                axis.add_patch(Rectangle((x, y), 1, 1, linewidth=0.4, **style))
                if percent is not None and has_room:
                    is_told = True
                    _write_on(axis, x, y, _percent_text(percent), styles[name]["facecolor"])
        axis.set_title(
            wrapped_title(f"{title}\nquickest by {SOURCE_LABELS.get(source, source)}", drawn.panel_inches[0])
        )
        _cells(axis, sizes, rows, rows_by, drawn.panel_inches[0])
    drawn.outer_labels_only()
    handles = [Patch(label=name, **style) for name, style in styles.items()]
    if is_told:
        handles.append(Patch(facecolor="none", edgecolor="none", label="+5: runner-up 5 % slower"))
    if is_paler:
        handles.append(Patch(facecolor=_paler(SOFT), edgecolor="white", label=f"paler: runner-up within {CLOSE} %"))
    drawn.legend(handles)
    return drawn.result()


def _paler(colour: str) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return tuple(0.5 + 0.5 * part for part in to_rgb(colour))


def _margins(frame: pandas.DataFrame, cell: list[str]) -> dict[tuple[Any, ...], float]:
    """By how many percent the second plan of each cell is slower than the first; not where there is one plan only."""
    quickest = frame.groupby([*cell, "name"], sort=False)["seconds"].min().reset_index()
    found = {}
    for key, part in quickest.dropna(subset=["seconds"]).groupby(cell, sort=False):
        if len(part) > 1:
            first, second = part["seconds"].nsmallest(2)
            found[key] = 100 * (second / first - 1) if first > 0 else math.inf if second > first else 0.0
    return found


def _percent_text(percent: float) -> str:
    if percent < 0.5:
        return "0"
    if percent == math.inf:
        return "×∞"
    return f"+{percent:.0f}" if percent < 99.5 else f"×{1 + percent / 100:.0f}"


def _write_on(axis: Axes, x: float, y: float, text: str, colour: str) -> None:
    """Small text in the middle of a cell, readable on hatches too."""
    axis.text(
        x + 0.5,
        y + 0.5,
        text,
        ha="center",
        va="center",
        fontsize=6,
        color="white",
        bbox={"facecolor": colour, "edgecolor": "none", "pad": 0.7},
    )


@described
def penalties(frame: pandas.DataFrame, model: str, measured: str, rows_by: str = "ranks") -> pandas.DataFrame:
    """Lists what it costs to take the plan that a model finds quickest.

    {Parameters: frame, model, measured, rows_by}

    Returns
    -------
    pandas.DataFrame
        One row a call: collective, platform, the column `rows_by`, bytes, chosen, best (plans), seconds (of the chosen
        plan), best_seconds, penalty_percent.

    {Raises BadInput: When no row is from one of the sources; when a row would hold times of different calls.}

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models=["plogp", "replay"])
    >>> isthmus.pictures.penalties(frame, "plogp", "replay")[["bytes", "best"]]
       bytes      best
    0      1  kielmann
    1   1024    magpie
    """
    frame, panel = _prepared(frame, rows_by, "penalties")
    cell = list(dict.fromkeys([*panel, "platform", rows_by, "bytes"]))
    found = regret_of_cells(frame, model, measured, cell)
    found["penalty_percent"] = 100 * found.pop("regret")
    return found


@in_look
@described
def penalty_map(
    frame: pandas.DataFrame,
    model: str | Sequence[str],
    measured: str,
    rows_by: str = "ranks",
    *,
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws what it costs to take the plan that a model finds quickest.

    Parameters
    ----------
    {frame}
    model : str or list of str
        The sources that choose, one panel each.
    {measured, rows_by, ax, width}

    Returns
    -------
    Picture
        A figure with one panel a collective, platform and model, or `ax`; the penalty in percent stands in
        each cell that has one.

    {Raises BadInput: When the sources have no plan of one call in common; as penalties() does.}

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
    panel_inches = (max(4.4, 0.36 * len(every[0]) + 1.2), max(2.6, 0.3 * len(every[1]) + 1.2))
    cells = sheet(len(wanted), ax, width, panel_inches)
    from matplotlib import colormaps

    shades = colormaps["cividis_r"].copy()
    shades.set_under(PANEL)  # what costs nothing
    most = max(10.0, *(table["penalty_percent"].max() for table in tables.values() if len(table)))
    for axis, (key, name, title) in zip(cells.axes, wanted):
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
        axis.set_title(wrapped_title(f"{title}\nchoice of {name} in {measured}", cells.panel_inches[0]))
        _cells(axis, sizes, rows, rows_by, cells.panel_inches[0])
    cells.outer_labels_only()
    figure = cells.axes[0].figure
    bar = figure.colorbar(drawn, ax=cells.axes, fraction=0.03, pad=0.02)
    bar.set_label("penalty (%)")
    bar.outline.set_edgecolor(SOFT)
    return cells.result()
