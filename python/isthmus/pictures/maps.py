"""Maps over message size and number of ranks: which plan is best, and what it costs to take another's word for it."""

from typing import TYPE_CHECKING, Any, List, Sequence, Tuple, Union

from .. import _core
from .._core import BadInput
from ..arguments import list_of
from .style import LEGEND_WIDTH, PALETTE, PANEL, SOFT, SOURCE_LABELS, Picture, in_look, legend_beside, panels, plan_names, require

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


def _grid(frame: "pandas.DataFrame", rows_by: str) -> "Tuple[List[int], List[Any]]":
    return sorted(frame["bytes"].unique()), sorted(frame[rows_by].unique())


def _cells(axis: "Axes", sizes: List[int], rows: List[Any], rows_by: str) -> None:
    """Cells of one size each, so that neighbours on a doubling scale are equally wide."""
    step = max(1, -(-len(sizes) // 8))
    axis.set_xticks([i + 0.5 for i in range(0, len(sizes), step)],
                    [_core.format_bytes(int(size)) for size in sizes[::step]], rotation=40, ha="right", rotation_mode="anchor")
    row_step = max(1, -(-len(rows) // 16))
    axis.set_yticks([i + 0.5 for i in range(0, len(rows), row_step)], [str(row) for row in rows[::row_step]])
    axis.set_xlim(0, len(sizes))
    axis.set_ylim(0, len(rows))
    axis.set_xlabel("message size")
    axis.set_ylabel("number of ranks" if rows_by == "ranks" else rows_by)
    axis.grid(False)


def _best(frame: "pandas.DataFrame", rows_by: str) -> "pandas.DataFrame":
    """The quickest plan of each cell: index (row, bytes); columns name, seconds."""
    quickest = frame.loc[frame.groupby([rows_by, "bytes"])["seconds"].idxmin()]
    return quickest.set_index([rows_by, "bytes"])[["name", "seconds"]]


@in_look
def decision_map(frame: "pandas.DataFrame", rows_by: str = "ranks") -> Picture:
    """Which plan is quickest, one panel a source, over bytes and `rows_by` (ranks, or platform)."""
    require(frame, ["collective", "algorithm", "source", "bytes", "seconds", rows_by], "decision_map")
    frame = frame.copy()
    frame["name"] = plan_names(frame)
    sources = list(dict.fromkeys(frame["source"]))
    decisions = {source: _best(frame[frame["source"] == source], rows_by)["name"] for source in sources}
    chosen = [name for name in dict.fromkeys(frame["name"]) if any((d == name).any() for d in decisions.values())]
    number = {name: i for i, name in enumerate(chosen)}
    picture, axes = panels(len(sources), 4.4, 3.4, beside=LEGEND_WIDTH, sharey=True)
    sizes, rows = _grid(frame, rows_by)
    hatches = ["", "////", "....", "xxxx"]
    from matplotlib.patches import Patch, Rectangle
    for axis, source in zip(axes, sources):
        for y, row in enumerate(rows):
            for x, size in enumerate(sizes):
                name = decisions[source].get((row, size))
                if name is not None:
                    i = number[name]
                    axis.add_patch(Rectangle((x, y), 1, 1, facecolor=PALETTE[i % 8], edgecolor="white", linewidth=0.4,
                                             hatch=hatches[i // 8 % 4]))
        axis.set_title(f"quickest by {SOURCE_LABELS.get(source, source)}")
        _cells(axis, sizes, rows, rows_by)
    legend_beside(axes, [Patch(facecolor=PALETTE[i % 8], edgecolor="white", hatch=hatches[i // 8 % 4], label=name)
                         for name, i in number.items()])
    for axis in axes[1:]:
        axis.set_ylabel("")
    return picture


def penalties(frame: "pandas.DataFrame", model: str, measured: str, rows_by: str = "ranks") -> "pandas.DataFrame":
    """What it costs to take the plan that `model` finds quickest in place of the one that is quickest in `measured`.

    Columns: rows_by, bytes, chosen, best, seconds (of the chosen plan), best_seconds, penalty_percent.
    """
    require(frame, ["collective", "algorithm", "source", "bytes", "seconds", rows_by], "penalties")
    frame = frame.copy()
    frame["name"] = plan_names(frame)
    for argument, source in (("model", model), ("measured", measured)):
        if source not in set(frame["source"]):
            raise BadInput(f"{argument}: no row is from {source!r}; there are {', '.join(dict.fromkeys(frame['source']))}")
    truth = frame[frame["source"] == measured].drop_duplicates([rows_by, "bytes", "name"])
    known = frame[frame["source"] == model].merge(truth[[rows_by, "bytes", "name"]], on=[rows_by, "bytes", "name"])
    best = _best(truth, rows_by).rename(columns={"name": "best", "seconds": "best_seconds"})
    chosen = _best(known, rows_by)[["name"]].rename(columns={"name": "chosen"})
    table = best.join(chosen, how="inner").reset_index()
    taken = truth.rename(columns={"name": "chosen"})[[rows_by, "bytes", "chosen", "seconds"]]
    table = table.merge(taken, on=[rows_by, "bytes", "chosen"])
    table["penalty_percent"] = 100 * (table["seconds"] / table["best_seconds"] - 1)
    return table[[rows_by, "bytes", "chosen", "best", "seconds", "best_seconds", "penalty_percent"]]


@in_look
def penalty_map(frame: "pandas.DataFrame", model: "Union[str, Sequence[str]]", measured: str, rows_by: str = "ranks") -> Picture:
    """penalties() as a map, one panel a model, with the figure in every cell that is not free."""
    models = list_of("model", model, (str,), "a source or a list of sources")
    tables = {name: penalties(frame, name, measured, rows_by) for name in models}
    sizes, rows = _grid(frame, rows_by)
    picture, axes = panels(len(models), max(4.4, 0.36 * len(sizes) + 1.2), max(2.6, 0.3 * len(rows) + 1.2), beside=1.0, sharey=True)
    from matplotlib import colormaps
    shades = colormaps["cividis_r"].copy()
    shades.set_under(PANEL)  # what costs nothing
    most = max(10.0, *(table["penalty_percent"].max() for table in tables.values()))
    for axis, (name, table) in zip(axes, tables.items()):
        grid = [[float("nan")] * len(sizes) for _ in rows]
        for one in table.itertuples():
            grid[rows.index(getattr(one, rows_by))][sizes.index(one.bytes)] = one.penalty_percent
        drawn = axis.pcolormesh(grid, cmap=shades, vmin=0.5, vmax=most, edgecolors="white", linewidth=0.4)
        for y, row in enumerate(grid):
            for x, value in enumerate(row):
                if value >= 0.5:
                    axis.text(x + 0.5, y + 0.5, f"{value:.0f}", ha="center", va="center", fontsize=7,
                              color="white" if value > 0.55 * most else "black")
        axis.set_title(f"choice of {name} in {measured}")
        _cells(axis, sizes, rows, rows_by)
    for axis in axes[1:]:
        if axis.get_subplotspec().colspan.start > 0:
            axis.set_ylabel("")
    bar = picture.colorbar(drawn, ax=axes, fraction=0.03, pad=0.02)
    bar.set_label("penalty (%)")
    bar.outline.set_edgecolor(SOFT)
    return picture
