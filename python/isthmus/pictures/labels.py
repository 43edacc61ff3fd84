"""Names of lines where the lines end."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes

MAX_LETTERS = 26


class Ending(NamedTuple):
    """The right end of a line, in data."""

    label: str
    colour: str
    marker: str
    x: float
    y: float


def shortened(text: str, letters: int = MAX_LETTERS) -> str:
    """The beginning and the end of a long text: plans differ at both."""
    if len(text) <= letters:
        return text
    end = (letters - 1) // 2
    return text[: letters - 1 - end] + "…" + text[len(text) - end :]


def title_plan(plan: str) -> str:
    """The plan if that is short, else its algorithm."""
    short = short_plan(plan)
    return short if len(short) <= MAX_LETTERS else short.partition(":")[0]


def short_plan(plan: str) -> str:
    """A plan without its packing, whose text is long."""
    name, _, parameters = plan.partition(":")
    long = ("packing=", "lag=", "slack=", "credit=", "lines=")
    kept = [one for one in parameters.split(",") if one and not one.startswith(long)]
    return name + (":" + ",".join(kept) if kept else "")


def wrapped_title(title: str, inches: float) -> str:
    """The title of a panel of this width, broken after commas, else anywhere, where it is too long."""
    size = matplotlib.rcParams["axes.titlesize"]
    letters = max(8, int(inches * 72 / (0.66 * (size if isinstance(size, (int, float)) else 10.0))))
    lines: list[str] = []
    for line in title.split("\n"):
        lines.append("")
        for part in line.split(", "):
            whole = f"{lines[-1]}, {part}" if lines[-1] else part
            if len(whole) <= letters or not lines[-1]:
                lines[-1] = whole
            else:
                lines[-1] += ","
                lines.append(part)
    word = int(0.8 * letters)  # the ticks' labels take room too
    return "\n".join(
        "\n".join(textwrap.wrap(line, word)) if len(line.split(", ")[0]) > word else line for line in lines
    )


def room_of_endings(names: Iterable[str]) -> float:
    """How many inches the names of lines take beside a panel."""
    return 0.2 + 0.068 * max((len(shortened(name)) for name in names), default=0)


def label_endings(axis: Axes, endings: list[Ending], panel_inches: tuple[float, float]) -> None:
    """Writes each name beside the panel, as near to its line's end as the others allow, with a leader to it."""
    if not endings:
        return
    points = (
        0.92 * float(matplotlib.rcParams["legend.fontsize"])
        if not isinstance(matplotlib.rcParams["legend.fontsize"], str)
        else 8.0
    )
    high = 72 * panel_inches[1] * 0.72  # of the panel without title and ticks
    step = min(1.28 * points / high, 1.0 / max(1, len(endings) - 1))
    inverse = axis.transAxes.inverted()
    wanted = [float(inverse.transform(axis.transData.transform((one.x, one.y)))[1]) for one in endings]
    for one, place in zip(endings, spread(wanted, step)):
        axis.annotate(
            shortened(one.label),
            (one.x, one.y),
            (1.1, place),
            xycoords="data",
            textcoords="axes fraction",
            color=one.colour,
            fontsize=points,
            ha="left",
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": one.colour,
                "linewidth": 0.6,
                "alpha": 0.6,
                "shrinkA": 0.75 * points,
                "shrinkB": 2,
                "relpos": (0, 0.5),
            },
        )
        axis.scatter(
            [1.1 - 0.45 * points / (72 * panel_inches[0] * 0.6)],
            [place],
            s=(0.5 * points) ** 2,
            marker=one.marker,
            color=one.colour,
            transform=axis.transAxes,
            clip_on=False,
            linewidth=0,
            zorder=5,
        )


def spread(wanted: list[float], step: float) -> list[float]:
    """Places in the same order, at least `step` apart, as near to those wanted as can be, from 0 to 1."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[float]] = []  # first place, members, sum of (wanted - offset)
    for i in order:
        groups.append([wanted[i], 1, wanted[i]])
        while len(groups) > 1 and groups[-2][0] + groups[-2][1] * step > groups[-1][0]:
            _, count, total = groups.pop()
            before = groups[-1]
            before[2] += total - count * before[1] * step
            before[1] += count
            before[0] = before[2] / before[1]
    places = []
    for first, count, _ in groups:
        places += [first + k * step for k in range(int(count))]
    if places and places[-1] > 1:
        for k in range(len(places) - 1, -1, -1):
            places[k] = min(places[k], 1 - (len(places) - 1 - k) * step)
    if places and places[0] < 0:
        for k in range(len(places)):
            places[k] = max(places[k], k * step)
    result = [0.0] * len(wanted)
    for i, place in zip(order, places):
        result[i] = place
    return result
