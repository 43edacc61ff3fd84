"""Axes of bytes, seconds and factors."""

from __future__ import annotations

import math
from collections.abc import Iterable

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from .. import _core


def size_axis(axis: Axes, sizes: Iterable[float], label: str = "message size", room: float = 4.4) -> None:
    """A logarithmic axis of bytes with binary units, in a panel of so many inches."""
    values = sorted({max(float(size), 0.5) for size in sizes})
    if values[0] == values[-1]:
        axis.set_xticks(values, [_core.format_bytes(int(values[0]))])
    else:
        axis.set_xscale("log", base=2)
        low, high = math.floor(math.log2(values[0])), math.ceil(math.log2(values[-1]))
        step = next(s for s in (1, 2, 3, 5, 6, 10, 20, 40, 80) if (high - low) / s <= max(2, min(7, 1.75 * room - 0.7)))
        ticks = [2.0**power for power in range(-(-low // step) * step, high + 1, step) if power >= 0]
        axis.xaxis.set_major_locator(FixedLocator(ticks))
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: _core.format_bytes(int(value))))
        axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel(label)


def seconds_text(value: float) -> str:
    text = _core.format_seconds(value)
    number, _, unit = text.partition(" ")
    return f"{float(number):g} {unit}" if unit else text


def seconds_axis(axis: Axes, label: str = "completion time", logarithmic: bool = True, which: str = "y") -> None:
    ruler = axis.yaxis if which == "y" else axis.xaxis
    if logarithmic:
        (axis.set_yscale if which == "y" else axis.set_xscale)("log")
        low, high = axis.get_ylim() if which == "y" else axis.get_xlim()
        ruler.set_major_locator(LogLocator(subs=(1, 2, 5) if high / max(low, 1e-12) < 100 else (1,), numticks=12))
        ruler.set_minor_locator(NullLocator())
    ruler.set_major_formatter(FuncFormatter(lambda value, _: seconds_text(value) if value > 0 else "0"))
    (axis.set_ylabel if which == "y" else axis.set_xlabel)(label)


def factor_axis(axis: Axes, label: str) -> None:
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.yaxis.set_major_locator(
        LogLocator(subs=(1, 1.5, 2, 3, 5, 7) if high / max(low, 1e-9) < 12 else (1, 2, 5), numticks=12)
    )
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_ylabel(label)
