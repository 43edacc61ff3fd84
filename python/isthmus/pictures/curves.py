"""Lines over the message size: completion time, speed-up, distance to the lower bound, error against measurement."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import BadInput
from ..comparisons import over_bound, times, with_cells
from .style import (
    OTHER_SOURCE,
    PALETTE,
    SOFT,
    SOURCE_LABELS,
    SOURCES,
    Picture,
    factor_axis,
    in_look,
    left_labels_only,
    legend_beside,
    panels,
    plan_styles,
    require,
    seconds_axis,
    size_axis,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

NEEDED = ["platform", "collective", "algorithm", "source", "bytes", "seconds"]


def _prepared(frame: pandas.DataFrame, picture: str, over: str = "bytes") -> pandas.DataFrame:
    require(frame, NEEDED, picture)
    frame = frame.copy()
    # A panel shows one collective: its plans are named without it.
    frame["name"] = frame["requested"] if "requested" in frame else frame["algorithm"]
    if over == "ranks":
        require(frame, ["ranks"], picture)
        frame["x"] = frame["ranks"]
        apart = frame["bytes"].map(lambda size: _core.format_bytes(int(size)))
    elif over == "bytes":
        frame["x"] = frame["bytes"].clip(lower=0.5)
        apart = frame["ranks"].astype(str) + " ranks" if "ranks" in frame else ""
    else:
        raise BadInput(f"over: {over!r}; bytes or ranks would be right")
    frame["panel"] = frame["platform"] + ", " + frame["collective"] + ", " + apart
    return frame


def _draw(frame: pandas.DataFrame, value: str, finish: Callable[[Axes, Any], None], over: str = "bytes") -> Picture:
    """One panel a platform and collective. With one source, colour, marker and line stand for the plan; with several,
    the line stands for the source, and the marker too while there are enough colours for the plans."""
    titles = list(dict.fromkeys(frame["panel"]))
    picture, axes = panels(len(titles), sharey=True)
    styles = plan_styles(frame["name"])
    sources = list(dict.fromkeys(frame["source"]))
    looks = {
        (name, source): _look(styles[name], source, len(sources) > 1, len(styles) > len(PALETTE))
        for name in styles
        for source in sources
    }
    for axis, title in zip(axes, titles):
        part = frame[frame["panel"] == title]
        for (name, source), line in part.groupby(["name", "source"], sort=False):
            line = line.sort_values("x").dropna(subset=[value])
            axis.plot(line["x"], line[value], **looks[name, source])
        axis.set_title(title)
        if over == "ranks":
            axis.set_xlabel("number of ranks")
        else:
            size_axis(axis, part["x"])
        finish(axis, part)
    left_labels_only(axes)
    legend_beside(picture, _handles(axes, styles, sources))
    return picture


def _look(style: dict[str, Any], source: str, several: bool, many: bool) -> dict[str, Any]:
    if not several:
        return {**style, "markersize": 4}
    look = {**SOURCES.get(source, OTHER_SOURCE), "color": style["color"]}
    return {**look, "marker": style["marker"]} if many else look


def _handles(axes: list[Axes], styles: dict[str, dict[str, Any]], sources: list[str]) -> list[Any]:
    from matplotlib.lines import Line2D

    several, many = len(sources) > 1, len(styles) > len(PALETTE)
    handles = []
    for name, style in styles.items():
        look: dict[str, Any] = (
            {**style, "markersize": 4} if not several else {"color": style["color"], "linewidth": 2.2}
        )
        if several and many:
            look.update(marker=style["marker"], markersize=5, linestyle="none")
        handles.append(Line2D([], [], label=name, **look))
    for source in sources if several else []:
        look = {**SOURCES.get(source, OTHER_SOURCE), "color": SOFT}
        if many and look["linestyle"] != "none":
            look["marker"] = None
        handles.append(Line2D([], [], label=SOURCE_LABELS.get(source, source), **look))
    seen = {}
    for axis in axes:
        seen.update({line.get_label(): line for line in axis.get_lines() if not str(line.get_label()).startswith("_")})
    return handles + list(seen.values())


@in_look
def completion_time(frame: pandas.DataFrame, over: str = "bytes") -> Picture:
    """Draws the time of plans, with the lower bound where it is known.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.
    over : str
        What the horizontal axis has: "bytes" or "ranks".

    Returns
    -------
    Picture
        A figure with one panel a platform and collective; times in seconds.

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models="replay")
    >>> isthmus.pictures.completion_time(frame).savefig("times.svg")
    """
    frame = _prepared(frame, "completion_time", over)

    def finish(axis: Axes, part: Any) -> None:
        if "bound_seconds" in part and part["bound_seconds"].notna().any():
            bound = part.dropna(subset=["bound_seconds"]).drop_duplicates("x").sort_values("x")
            axis.plot(
                bound["x"], bound["bound_seconds"], color=SOFT, alpha=0.45, linewidth=3.5, label="lower bound", zorder=1
            )
        seconds_axis(axis)

    return _draw(frame, "seconds", finish, over)


@in_look
def speed_up(frame: pandas.DataFrame, over: str) -> Picture:
    """Draws how many times quicker each plan is than another, by the same source.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.
    over : str
        The other plan, as it was asked for.

    Returns
    -------
    Picture
        A figure with one panel a platform and collective; ratios, where above 1 is quicker.

    Raises
    ------
    BadInput
        When `over` is no plan of the frame, or the only one.

    Examples
    --------
    >>> frame = das.predict(["broadcast/magpie", "broadcast/binomial"], "1,1Ki", models="replay")
    >>> isthmus.pictures.speed_up(frame, over="binomial").savefig("speed-up.svg")
    """
    frame = _prepared(frame, "speed_up")
    if "/" in over:
        frame = frame[frame["collective"] == over.partition("/")[0]]
        over = over.partition("/")[2]
    if over not in set(frame["name"]):
        names = ", ".join(dict.fromkeys(frame["name"]))
        raise BadInput(f"over: {over!r} is no plan of the frame; one of {names} would be right")
    frame = with_cells(frame, ["panel", "source", "bytes"])
    frame["speed_up"] = _core.speed_ups(times(frame), over)
    frame = frame[frame["name"] != over]
    if frame.empty:
        raise BadInput(f"over: {over!r} is the only plan of the frame; another beside it would be right")

    def finish(axis: Axes, part: Any) -> None:
        axis.axhline(1, color=SOFT, linewidth=1)
        factor_axis(axis, f"speed-up over {over}")

    return _draw(frame, "speed_up", finish)


@in_look
def distance_to_bound(frame: pandas.DataFrame) -> Picture:
    """Draws the time of plans over the time that no schedule can beat.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.

    Returns
    -------
    Picture
        A figure with one panel a platform and collective; ratios, where 1 is perfect.

    Raises
    ------
    BadInput
        When no bound is known for any row.

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models="replay")
    >>> isthmus.pictures.distance_to_bound(frame).savefig("distance.svg")
    """
    require(frame, ["bound_seconds"], "distance_to_bound")
    frame = _prepared(frame, "distance_to_bound")
    frame["factor"] = over_bound(frame)
    frame = frame.dropna(subset=["factor"])
    if frame.empty:
        raise BadInput("frame: no bound is known for any of its rows")

    def finish(axis: Axes, part: Any) -> None:
        axis.axhline(1, color=SOFT, linewidth=1)
        factor_axis(axis, "time / lower bound")

    return _draw(frame, "factor", finish)


@in_look
def error(frame: pandas.DataFrame, against: str = "emulated", tolerance_percent: tuple[float, ...] = ()) -> Picture:
    """Draws how far each source is from another.

    Parameters
    ----------
    frame : pandas.DataFrame
        A table as sweep() and predict() return them.
    against : str
        The source that the others are compared with.
    tolerance_percent : tuple of float
        Where strips are drawn, in percent.

    Returns
    -------
    Picture
        A figure with one panel a platform and collective; differences in percent.

    Raises
    ------
    BadInput
        When no row is from `against`, or none of another source is about the same point.

    Examples
    --------
    >>> frame = das.predict("broadcast/magpie", "1,1Ki", models=["plogp", "replay"])
    >>> isthmus.pictures.error(frame, against="replay", tolerance_percent=(5,)).savefig("error.svg")
    """
    frame = _prepared(frame, "error")
    if against not in set(frame["source"]):
        names = ", ".join(dict.fromkeys(frame["source"]))
        raise BadInput(f"against: no row is from {against!r}; one of {names} would be right")
    frame = with_cells(frame, ["panel", "bytes", *(["root"] if "root" in frame else [])])
    reference, frame = frame[frame["source"] == against], frame[frame["source"] != against].copy()
    frame["percent"] = [100 * error for error in _core.relative_errors(times(frame), times(reference))]
    frame = frame.dropna(subset=["percent"])
    if frame.empty:
        raise BadInput(f"against: no row of another source is about a point that {against!r} has")

    def finish(axis: Axes, part: Any) -> None:
        for percent in tolerance_percent:
            axis.axhspan(-percent, percent, color="#009e73", alpha=0.13, linewidth=0)
        axis.axhline(0, color=SOFT, linewidth=1)
        axis.set_ylabel(f"difference from {against} (%)")

    return _draw(frame, "percent", finish)
