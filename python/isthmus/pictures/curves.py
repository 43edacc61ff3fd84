"""Lines over the message size: completion time, speed-up, distance to the lower bound, error against measurement."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _core, comparisons
from .._core import BadInput
from ..arguments import one_of
from ..comparisons import over_bound, plan_names, refuse_mixed, times, with_cells
from ..descriptions import described
from .labels import Ending, label_endings, room_of_endings, shortened, wrapped_title
from .layout import AxesLike, Drawn, Sheet, Width, sheet
from .scales import factor_axis, seconds_axis, size_axis
from .style import LINE, OTHER_SOURCE, SOFT, SOURCE_LABELS, SOURCES, in_look, palette, plan_styles, require

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

# An interval from fewer repetitions is not reliable; the report has none either.
FEW_REPETITIONS = 5
NEEDED = ["platform", "collective", "algorithm", "source", "bytes", "seconds"]
# What may differ between calls of one panel; its text in the titles, of a value and its number.
APART: dict[str, Callable[[Any, int], str]] = {
    "network_digest": lambda digest, number: f"network {digest[:8]}",
    "placement": lambda hosts, number: f"placement {number}: {shortened(hosts, 18)}",
    "root": lambda root, number: f"root {int(root)}",
    "element_bytes": lambda size, number: f"elements of {_core.format_bytes(int(size))}",
}


def _prepared(frame: pandas.DataFrame, picture: str, over: str = "bytes") -> pandas.DataFrame:
    frame = require(frame, NEEDED, picture)
    # A panel shows one collective: its plans are named without it.
    frame["name"] = plan_names(frame)
    if over == "ranks":
        require(frame, ["ranks"], picture)
        frame["x"] = frame["ranks"]
        apart = frame["bytes"].map(lambda size: _core.format_bytes(int(size)))
    elif over == "bytes":
        frame["x"] = frame["bytes"].clip(lower=0.5)
        apart = frame["ranks"].astype(str) + " ranks" if "ranks" in frame else ""
    else:
        raise BadInput(f"over: {over!r}; bytes or ranks would be right")
    if "repetition_seconds" in frame:
        frame["half_s"] = frame["repetition_seconds"].map(_half_interval_s)
    frame["panel"] = frame["platform"] + ", " + frame["collective"] + ", " + apart
    for column, title in APART.items():
        if column in frame and (over, column) != ("ranks", "placement"):
            _tell_apart(frame, column, title)
    # Over the ranks the placement changes with their number.
    refuse_mixed(frame, ["panel", "source", "x"], ["placement"], "one of them")
    return frame


def _tell_apart(frame: pandas.DataFrame, column: str, title: Callable[[Any, int], str]) -> None:
    """Gives calls of one panel that differ in a column a panel each; rows without a value keep theirs."""
    several = frame.groupby("panel")[column].transform("nunique") > 1
    values = frame[column][several & frame[column].notna()]
    titles = {value: f", {title(value, number)}" for number, value in enumerate(values.unique(), 1)}
    if titles:
        frame["panel"] += frame[column].where(several).map(titles).fillna("")


@dataclass(frozen=True)
class Form:
    """How lines are laid out and named; the arguments that all pictures of lines have."""

    by: str = "platform"
    labels: str = "auto"
    ax: AxesLike = None
    width: Width = None

    def __post_init__(self) -> None:
        one_of("by", self.by, ("platform", "plan"))
        one_of("labels", self.labels, ("auto", "direct", "legend", "none"))


def _draw(
    frame: pandas.DataFrame, value: str, finish: Callable[[Axes, Any, bool], None], form: Form, over: str = "bytes"
) -> Drawn:
    """One panel a platform and collective, or a plan, with the others in grey behind it. With one source, colour,
    marker and line stand for the plan; with several, the line stands for the source, and the marker too while there
    are enough colours for the plans."""
    shown = frame[value].abs() < math.inf
    if not shown.any():
        raise BadInput("frame: none of its rows has a finite number to draw")
    positive = shown & (frame[value] > 0)
    logarithmic = value != "percent" and bool(positive.any())
    frame = frame.assign(**{value: frame[value].where(positive if logarithmic else shown)})
    one_title = frame["panel"].nunique() == 1
    if form.by == "plan":
        frame = frame.assign(behind=frame["panel"], panel=_plan_titles(frame, one_title))
    titles = list(dict.fromkeys(frame["panel"]))
    drawn = sheet(len(titles), form.ax, form.width, sharey=True)
    styles = plan_styles(frame["name"])
    sources = list(dict.fromkeys(frame["source"]))
    looks = {
        (name, source): _look(styles[name], source, len(sources) > 1, len(styles) > len(palette()))
        for name in styles
        for source in sources
    }
    direct = _is_direct(form, drawn, len(sources), len(styles))
    room = drawn.panel_inches[0] - (room_of_endings(styles) if direct else 0)
    for axis, title in zip(drawn.axes, titles):
        part = frame[frame["panel"] == title]
        if form.by == "plan":
            others = frame[(frame["behind"] == part["behind"].iloc[0]) & (frame["panel"] != title)]
            for _, line in others.groupby(["name", "source"], sort=False):
                line = line.sort_values("x").dropna(subset=[value])
                axis.plot(line["x"], line[value], color=LINE, linewidth=1, zorder=1)
        for (name, source), line in part.groupby(["name", "source"], sort=False):
            line = line.sort_values("x").dropna(subset=[value])
            axis.plot(line["x"], line[value], **looks[name, source])
            _draw_intervals(axis, line, value, looks[name, source]["color"])
        if form.by == "plan" or not one_title or drawn.picture is not None:
            axis.set_title(wrapped_title(title, drawn.panel_inches[0]))
        if over == "ranks":
            axis.set_xlabel("number of ranks")
        else:
            size_axis(axis, part["x"], room=room)
        finish(axis, part, logarithmic)
    drawn.outer_labels_only()
    handles = _handles(drawn.axes, styles, sources, plans=form.by != "plan" or len(sources) > 1)
    if form.by == "plan" and len(styles) > 1:
        from matplotlib.lines import Line2D

        handles.append(Line2D([], [], color=LINE, linewidth=1, label="the other plans"))
    if direct:
        for axis, title in zip(drawn.axes, titles):
            _label_lines(axis, frame[frame["panel"] == title], value, styles, drawn.panel_inches)
        handles = [handle for handle in handles if handle.get_label() not in styles]
    if form.labels != "none":
        drawn.legend(handles)
    return drawn.result()


def _plan_titles(frame: pandas.DataFrame, one_title: bool) -> pandas.Series:
    if one_title:
        return frame["name"]
    return frame["name"] + "\n" + frame["panel"]


def _is_direct(form: Form, drawn: Sheet, sources: int, plans: int) -> bool:
    """Whether lines are named where they end, if that is unambiguous and there is room."""
    if form.labels != "auto" or form.by == "plan":
        return form.labels == "direct" and form.by != "plan"
    fits = drawn.panel_inches[0] >= 2.6 and drawn.panel_inches[1] >= 0.13 * plans + 0.6
    return sources == 1 and len(drawn.axes) <= 4 and fits


def _label_lines(
    axis: Axes, part: pandas.DataFrame, value: str, styles: dict[str, Any], inches: tuple[float, float]
) -> None:
    endings = []
    for name, line in part.groupby("name", sort=False):
        line = line.sort_values("x").dropna(subset=[value])
        if len(line):
            endings.append(
                Ending(
                    name,
                    styles[name]["color"],
                    styles[name]["marker"],
                    float(line["x"].iloc[-1]),
                    float(line[value].iloc[-1]),
                )
            )
    label_endings(axis, endings, inches)


def _draw_intervals(axis: Axes, line: pandas.DataFrame, value: str, colour: str) -> None:
    """The 95 % confidence interval of each median that several repetitions have."""
    if value != "seconds" or "half_s" not in line:
        return
    line = line[line["half_s"] > 0]
    if line.empty:
        return
    low, high = (line[value] - line["half_s"]).clip(lower=1e-3 * line[value]), line[value] + line["half_s"]
    axis.vlines(line["x"], low, high, color=colour, linewidth=1.1, zorder=3)
    for ends in (low, high):
        axis.scatter(line["x"], ends, marker="_", s=22, color=colour, linewidth=1.1, zorder=3)


def _half_interval_s(repetitions: Any) -> float:
    if not isinstance(repetitions, (list, tuple)) or len(repetitions) < FEW_REPETITIONS:
        return float("nan")
    return _core.half_interval_s([float(seconds) for seconds in repetitions])


def _look(style: dict[str, Any], source: str, several: bool, many: bool) -> dict[str, Any]:
    if not several:
        return {**style, "markersize": 4}
    look = {**SOURCES.get(source, OTHER_SOURCE), "color": style["color"]}
    return {**look, "marker": style["marker"]} if many else look


def _handles(axes: list[Axes], styles: dict[str, dict[str, Any]], sources: list[str], plans: bool = True) -> list[Any]:
    from matplotlib.lines import Line2D

    several, many = len(sources) > 1, len(styles) > len(palette())
    handles = []
    for name, style in styles.items() if plans else ():
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
@described
def completion_time(
    frame: pandas.DataFrame,
    over: str = "bytes",
    *,
    by: str = "platform",
    labels: str = "auto",
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws the time of plans, with the lower bound where it is known.

    Parameters
    ----------
    {frame}
    over : str
        What the horizontal axis has: "bytes" or "ranks".
    {by, labels, ax, width}

    Returns
    -------
    Picture
        A figure with one panel a platform and collective, or `ax`; times in seconds, with the 95 %
        confidence interval of the median where there are five repetitions or more.

    Examples
    --------
    >>> frame = das.predict("broadcast/all", "1,1Ki", models="replay")
    >>> isthmus.pictures.completion_time(frame).savefig("times.svg")
    """
    frame = _prepared(frame, "completion_time", over)

    def finish(axis: Axes, part: Any, logarithmic: bool) -> None:
        if "bound_seconds" in part and part["bound_seconds"].notna().any():
            bound = part.dropna(subset=["bound_seconds"]).drop_duplicates("x").sort_values("x")
            look = {"color": SOFT, "alpha": 0.45, "linewidth": 3.5, "label": "lower bound", "zorder": 1}
            if len(bound) == 1:  # which is no line
                look |= {"marker": "_", "markersize": 18, "markeredgewidth": 3.5}
            axis.plot(bound["x"], bound["bound_seconds"], **look)
        seconds_axis(axis, logarithmic=logarithmic)

    return _draw(frame, "seconds", finish, Form(by, labels, ax, width), over)


@in_look
@described
def speed_up(
    frame: pandas.DataFrame,
    over: str,
    *,
    by: str = "platform",
    labels: str = "auto",
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws how many times quicker each plan is than another, by the same source.

    Parameters
    ----------
    {frame}
    over : str
        The other plan, as it was asked for.
    {by, labels, ax, width}

    Returns
    -------
    Picture
        A figure with one panel a platform and collective, or `ax`; ratios, where above 1 is quicker.

    {Raises BadInput: When `over` is no plan of the frame, or the only one.}

    Examples
    --------
    >>> frame = das.predict(["broadcast/magpie", "broadcast/binomial"], "1,1Ki", models="replay")
    >>> isthmus.pictures.speed_up(frame, over="binomial").savefig("speed-up.svg")
    """
    frame = comparisons.speed_up(_prepared(frame, "speed_up"), over)
    collective, over = comparisons.collective_and_plan(over)
    frame = frame[frame["collective"] == collective] if collective else frame
    frame = frame[frame["name"] != over]
    if frame.empty:
        raise BadInput(f"over: {over!r} is the only plan of the frame; another beside it would be right")

    def finish(axis: Axes, part: Any, logarithmic: bool) -> None:
        axis.axhline(1, color=SOFT, linewidth=1)
        factor_axis(axis, f"speed-up over {over}", logarithmic)

    return _draw(frame, "speed_up", finish, Form(by, labels, ax, width))


@in_look
@described
def distance_to_bound(
    frame: pandas.DataFrame,
    *,
    by: str = "platform",
    labels: str = "auto",
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws the time of plans over the time that no schedule can beat.

    {Parameters: frame, by, labels, ax, width}

    Returns
    -------
    Picture
        A figure with one panel a platform and collective, or `ax`; ratios, where 1 is perfect.

    {Raises BadInput: When no bound is known for any row.}

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

    def finish(axis: Axes, part: Any, logarithmic: bool) -> None:
        axis.axhline(1, color=SOFT, linewidth=1)
        factor_axis(axis, "time / lower bound", logarithmic)

    return _draw(frame, "factor", finish, Form(by, labels, ax, width))


@in_look
@described
def error(
    frame: pandas.DataFrame,
    against: str = "emulated",
    tolerance_percent: tuple[float, ...] = (),
    *,
    by: str = "platform",
    labels: str = "auto",
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws how far each source is from another.

    Parameters
    ----------
    {frame}
    against : str
        The source that the others are compared with.
    tolerance_percent : tuple of float
        Where strips are drawn, in percent.
    {by, labels, ax, width}

    Returns
    -------
    Picture
        A figure with one panel a platform and collective, or `ax`; differences in percent.

    {Raises BadInput: When no row is from `against`, or none of another source is about the same point.}

    Examples
    --------
    >>> frame = das.predict("broadcast/magpie", "1,1Ki", models=["plogp", "replay"])
    >>> isthmus.pictures.error(frame, against="replay", tolerance_percent=(5,)).savefig("error.svg")
    """
    frame = _prepared(frame, "error")
    if against not in set(frame["source"]):
        names = ", ".join(dict.fromkeys(frame["source"]))
        raise BadInput(f"against: no row is from {against!r}; one of {names} would be right")
    frame = with_cells(frame, ["panel", "bytes"])
    reference, frame = frame[frame["source"] == against], frame[frame["source"] != against].copy()
    frame["percent"] = [100 * error for error in _core.relative_errors(times(frame), times(reference))]
    frame = frame.dropna(subset=["percent"])
    if frame.empty:
        raise BadInput(f"against: no row of another source is about a point that {against!r} has")

    def finish(axis: Axes, part: Any, logarithmic: bool) -> None:
        for percent in tolerance_percent:
            axis.axhspan(-percent, percent, color="#009e73", alpha=0.13, linewidth=0)
        axis.axhline(0, color=SOFT, linewidth=1)
        axis.set_ylabel(f"difference from {against} (%)")

    return _draw(frame, "percent", finish, Form(by, labels, ax, width))
