"""Where the time of plans goes, and how busy links are: bars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import BadInput
from ..arguments import whole, wrong_type
from ..descriptions import described
from ..schedule import Schedule
from .labels import short_plan, shortened, title_plan, wrapped_title
from .layout import AxesLike, Drawn, Width, sheet
from .scales import seconds_axis, seconds_text
from .style import LOCAL, PALETTE, SOFT, WIDE_AREA, in_look, require

if TYPE_CHECKING:
    import pandas

PARTS = {
    "latency": ("latency", PALETTE[2]),
    "wide_area": ("sending between sites", WIDE_AREA),
    "local": ("sending inside sites", LOCAL),
    "overhead": ("processors", PALETTE[3]),
    "contention": ("waiting", "#b9b9b9"),
}
BAR_INCHES = 0.21


@in_look
@described
def breakdown(frame: pandas.DataFrame, max_plans: int = 12, *, ax: AxesLike = None, width: Width = None) -> Drawn:
    """Draws where the time of each plan goes, along the path of messages that takes longest.

    Parameters
    ----------
    frame : pandas.DataFrame
        What ``Platform.explain(..., parts=True)`` returns.
    max_plans : int
        How many plans a panel has at most: the choice, then the quickest.
    {ax, width}

    Returns
    -------
    Picture
        A figure with one panel a collective and size, or `ax`; seconds, and the lower bound as a line.

    {Raises BadInput: When the frame has no parts, or no finite time.}

    Examples
    --------
    >>> frame = das.explain("allgather", "1Ki,64Ki", parts=True)
    >>> isthmus.pictures.breakdown(frame).savefig("breakdown.svg")
    """
    from matplotlib.patches import Patch

    frame = require(frame, ["bytes", "plan", "seconds", *(f"{part}_seconds" for part in PARTS)], "breakdown")
    max_plans = whole("max_plans", max_plans, 1, 200)
    frame = frame[frame["seconds"] < math.inf]
    if frame.empty:
        raise BadInput("frame: none of its rows has a finite number to draw")
    calls = list(frame.groupby([frame["plan"].str.partition("/")[0], "bytes"], sort=False))
    most = max(min(max_plans, len(part)) for _, part in calls)
    drawn = sheet(len(calls), ax, width, (4.4, max(1.7, BAR_INCHES * most + 0.95)), keeps_height=True)
    letters = max(16, min(30, int(7 * drawn.panel_inches[0])))
    for axis, ((title, size), part) in zip(drawn.axes, calls):
        part = part.head(max_plans)
        names = [shortened(short_plan(name), letters) for name in part["plan"].str.partition("/")[2]]
        left = 0 * part["seconds"].to_numpy()
        places = list(range(len(part)))
        for name, (_, colour) in PARTS.items():
            values = part[f"{name}_seconds"].to_numpy()
            axis.barh(places, values, left=left, height=0.74, color=colour, linewidth=0)
            left = left + values
        for place, seconds in zip(places, part["seconds"]):
            axis.annotate(
                seconds_text(seconds), (seconds, place), (3, 0), textcoords="offset points", va="center", fontsize=7
            )
        bound = part["bound_seconds"].iloc[0] if "bound_seconds" in part else float("nan")
        if bound > 0:
            axis.axvline(bound, color=SOFT, linewidth=1.2, linestyle=(0, (4, 2)))
        axis.set_yticks(places, _numbered(names))
        axis.set_ylim(most - 0.4, -0.6)
        axis.set_xlim(0, 1.17 * float(part["seconds"].max()) or 1)
        axis.grid(False, axis="y")
        axis.tick_params(axis="y", length=0)
        seconds_axis(axis, "completion time", logarithmic=False, which="x")
        _few_ticks(axis, drawn.panel_inches[0])
        axis.set_title(title + (f", {_core.format_bytes(int(size))}" if not title.startswith("barrier") else ""))
    drawn.outer_labels_only()
    handles: list[Any] = [Patch(color=colour, label=label) for label, colour in PARTS.values()]
    if "bound_seconds" in frame and (frame["bound_seconds"] > 0).any():
        from matplotlib.lines import Line2D

        handles.append(Line2D([], [], color=SOFT, linewidth=1.2, linestyle=(0, (4, 2)), label="lower bound"))
    drawn.legend(handles)
    return drawn.result()


def _numbered(names: list[str]) -> list[str]:
    """The names; those that are equal with a number."""
    return [
        f"{name} ({names[:place].count(name) + 1})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def _few_ticks(axis: Any, inches: float) -> None:
    from matplotlib.ticker import MaxNLocator

    axis.xaxis.set_major_locator(MaxNLocator(max(2, min(5, int(1.1 * inches)))))


@in_look
@described
def link_load(
    schedules: Schedule | Sequence[Schedule] | Mapping[str, Schedule],
    max_links: int = 16,
    *,
    ax: AxesLike = None,
    width: Width = None,
) -> Drawn:
    """Draws how long the messages of a schedule occupy each wide-area link.

    Parameters
    ----------
    schedules : Schedule, list of Schedule or dict of str to Schedule
        One panel each; the keys of a dict are their titles.
    max_links : int
        How many links a panel has at most, busiest first.
    {ax, width}

    Returns
    -------
    Picture
        A figure with one panel a schedule, or `ax`; seconds, beside each bar its share of the schedule's time, which is
        the dashed line.

    {Raises BadInput: When no message of any schedule crosses a wide-area link.}

    Examples
    --------
    >>> plans = [das.schedule(plan, "64Ki") for plan in ("allreduce/ring", "allreduce/multilevel")]
    >>> isthmus.pictures.link_load(plans).savefig("load.svg")
    """
    max_links = whole("max_links", max_links, 1, 1000)
    if isinstance(schedules, Schedule):
        schedules = [schedules]
    for one in schedules.values() if isinstance(schedules, Mapping) else schedules:
        if not isinstance(one, Schedule):
            raise wrong_type("schedules", one, "a Schedule, or several")
    if isinstance(schedules, Mapping):
        titled = list(schedules.items())
    else:
        titled = [(f"{title_plan(one.plan)}, {_core.format_bytes(one.bytes)}", one) for one in schedules]
    loads = []
    for title, one in titled:
        frame = one.link_loads()
        loads.append((title, one.replay(), frame[frame["wide_area"]].head(max_links)))
    most = max((len(frame) for _, _, frame in loads), default=0)
    if most == 0:
        raise BadInput("schedules: no message crosses a wide-area link; a schedule between sites would be right")
    # One order of links for all panels, so that they can be compared.
    links = list(dict.fromkeys(link for _, _, frame in loads for link in sorted(frame["link"])))
    drawn = sheet(len(loads), ax, width, (4.4, max(1.7, BAR_INCHES * len(links) + 1.1)), keeps_height=True)
    longest = max(seconds for _, seconds, _ in loads)
    for axis, (title, seconds, frame) in zip(drawn.axes, loads):
        busy = dict(zip(frame["link"], frame["busy_s"]))
        values = [busy.get(link, 0.0) for link in links]
        axis.barh(range(len(links)), values, height=0.74, color=WIDE_AREA, linewidth=0)
        for place, value in enumerate(values):
            text = f"{100 * value / seconds:.0f} %" if value else "unused"
            axis.annotate(
                text,
                (value, place),
                (3, 0),
                textcoords="offset points",
                va="center",
                fontsize=7,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            )
        axis.axvline(seconds, color=SOFT, linewidth=1.2, linestyle=(0, (4, 2)))
        axis.set_yticks(range(len(links)), links)
        axis.set_ylim(len(links) - 0.4, -0.6)
        axis.set_xlim(0, (1 + 0.5 / drawn.panel_inches[0]) * longest)
        axis.grid(False, axis="y")
        axis.tick_params(axis="y", length=0)
        seconds_axis(axis, "time that it is busy", logarithmic=False, which="x")
        _few_ticks(axis, drawn.panel_inches[0])
        if axis.get_subplotspec() is not None and axis.get_subplotspec().colspan.start > 0 and ax is None:
            axis.tick_params(axis="y", labelleft=False)
        axis.set_title(wrapped_title(title, drawn.panel_inches[0]))
    drawn.outer_labels_only()
    from matplotlib.lines import Line2D

    end = Line2D([], [], color=SOFT, linewidth=1.2, linestyle=(0, (4, 2)), label="end of the schedule, by the replay")
    drawn.legend([end])
    return drawn.result()
