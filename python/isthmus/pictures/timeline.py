"""The timeline of a schedule as a Gantt chart."""

from .. import _core
from ..arguments import whole, with_old_names
from ..descriptions import described
from ..schedule import Schedule
from .labels import title_plan, wrapped_title
from .layout import AxesLike, Drawn, Width, legend_below, sheet
from .scales import seconds_axis
from .style import LOCAL, SOFT, WIDE_AREA, in_look


@with_old_names(most_ranks="max_ranks")
@in_look
@described
def timeline(schedule: Schedule, max_ranks: int = 64, *, ax: AxesLike = None, width: Width = None) -> Drawn:
    """Draws the messages of a schedule as a Gantt chart, by the replay.

    Each bar is a message, from its sending, or the arrival of the one before from the same sender, to its arrival.

    {Parameters: schedule, max_ranks, one_ax, width}

    Returns
    -------
    Picture
        A figure with one panel, or `ax`: one row a receiving rank; seconds since the common start.

    Examples
    --------
    >>> isthmus.pictures.timeline(das.schedule("broadcast/magpie", "64Ki")).savefig("timeline.svg")
    """
    if not isinstance(schedule, Schedule):
        raise TypeError(f"schedule: {schedule!r} is {type(schedule).__name__}; a Schedule would be right")
    from matplotlib.patches import Patch

    max_ranks = whole("max_ranks", max_ranks, 1)
    messages = schedule.messages().sort_values(["source", "destination", "end_s"])
    shown = min(schedule.ranks, max_ranks)
    messages = messages[messages["destination"] < shown]
    before = messages.groupby(["source", "destination"])["end_s"].shift()
    begin = messages["begin_s"].where(before.isna() | (before < messages["begin_s"]), before)
    drawn = sheet(1, ax, width, (7.6, max(2.4, 0.17 * shown + 1.2)))
    (axis,) = drawn.axes
    for wide, colour in ((False, LOCAL), (True, WIDE_AREA)):
        for odd in (0, 1):
            part = messages[(messages["between_sites"] == wide) & (messages["number"] % 2 == odd)]
            axis.barh(
                part["destination"],
                part["end_s"] - begin[part.index],
                left=begin[part.index],
                height=0.72,
                color=colour,
                alpha=1 if odd == 0 else 0.6,
                linewidth=0,
            )
    axis.set_ylim(shown - 0.4, -0.6)
    axis.set_ylabel("rank that receives")
    axis.yaxis.get_major_locator().set_params(integer=True)
    axis.grid(False, axis="y")
    seconds_axis(axis, "time since the common start", logarithmic=False, which="x")
    left_out = "" if shown == schedule.ranks else f", first {shown} of {schedule.ranks} ranks"
    title = f"{title_plan(schedule.plan)}, {_core.format_bytes(schedule.bytes)}{left_out}"
    axis.set_title(wrapped_title(title, drawn.panel_inches[0]))
    handles = [
        Patch(color=WIDE_AREA, label="between sites"),
        Patch(color=LOCAL, label="inside a site"),
        Patch(color=SOFT, alpha=0.6, label="shades alternate"),
    ]
    if drawn.picture is not None:
        legend_below(drawn.picture, handles)
    else:
        drawn.legend(handles)
    return drawn.result()
