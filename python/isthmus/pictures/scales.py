"""Axes of bytes, seconds and factors."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, Formatter, FuncFormatter, Locator, LogLocator, MaxNLocator, NullLocator

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


UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def seconds_text(value: float, step_s: float = math.inf) -> str:
    """A time with three digits, or as many as tell it from times that are a step away."""
    if not math.isfinite(value):
        return str(value)
    text, _, unit = _core.format_seconds(value).partition(" ")
    number = float(text)
    for digits in range(4, 16):
        if abs(number * UNITS[unit] - value) <= step_s / 20:
            break
        number = float(f"{value / UNITS[unit]:.{digits}g}")
    return f"{number:.15g} {unit}"


class _Seconds(Formatter):  # type: ignore[misc]
    """Times of ticks, no two of them alike."""

    def __call__(self, value: float, pos: int | None = None) -> str:
        steps = [high - low for low, high in pairwise(sorted(self.locs)) if high > low]
        return seconds_text(value, min(steps, default=math.inf)) if value > 0 else "0"


class _LogTicks(Locator):  # type: ignore[misc]
    """Ticks of a logarithmic axis: of each decade the first of `choices` that has three, else even ones."""

    def __init__(self, *choices: tuple[float, ...]) -> None:
        self.choices = choices

    def __call__(self) -> Any:
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> Any:
        low, high = sorted((vmin, vmax))
        for subs in self.choices:
            ticks = LogLocator(subs=subs, numticks=12).tick_values(low, high)
            if sum(low <= tick <= high for tick in ticks) >= 3:
                return ticks
        even = MaxNLocator(5, steps=[1, 2, 5, 10], min_n_ticks=3).tick_values(low, high)
        return [tick for tick in even if tick > 0]


def seconds_axis(axis: Axes, label: str = "completion time", logarithmic: bool = True, which: str = "y") -> None:
    ruler = axis.yaxis if which == "y" else axis.xaxis
    if logarithmic:
        (axis.set_yscale if which == "y" else axis.set_xscale)("log")
        low, high = axis.get_ylim() if which == "y" else axis.get_xlim()
        ruler.set_major_locator(_LogTicks(*([] if high / max(low, 1e-12) < 100 else [(1,)]), (1, 2, 5)))
        ruler.set_minor_locator(NullLocator())
    else:
        axis.set_ylim(bottom=0) if which == "y" else axis.set_xlim(left=0)
    ruler.set_major_formatter(_Seconds())
    (axis.set_ylabel if which == "y" else axis.set_xlabel)(label)


def factor_axis(axis: Axes, label: str, logarithmic: bool = True) -> None:
    axis.set_ylabel(label)
    if not logarithmic:
        return
    axis.set_yscale("log")
    low, high = axis.get_ylim()
    axis.yaxis.set_major_locator(_LogTicks((1, 1.5, 2, 3, 5, 7) if high / max(low, 1e-9) < 12 else (1, 2, 5)))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
