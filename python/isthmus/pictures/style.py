"""The look that all pictures share."""

import io
from functools import wraps
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Sequence, TypeVar

from .. import _core
from .._core import BadInput
from ..needs import need

if TYPE_CHECKING:
    import pandas

need("matplotlib", "a picture")
import matplotlib  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator  # noqa: E402

# Okabe and Ito's palette, told apart with every kind of colour vision; the report uses the same.
PALETTE = ["#c44e00", "#0072b2", "#00805d", "#a8578a", "#c77b00", "#2c8fc4", "#5c5c5c", "#8a7a00"]
INK, SOFT, LINE, PANEL = "#1b1b1b", "#5c5c5c", "#d9d9d9", "#f6f6f4"
WIDE_AREA, LOCAL = PALETTE[0], PALETTE[1]
MARKERS = ["o", "s", "D", "^", "v", "P", "X", "*"]
# Line and marker of a source, the same in every picture; those that are not here get a dotted line.
SOURCES: Dict[str, Dict[str, Any]] = {
    "emulated": {"linestyle": "none", "marker": "o", "markersize": 6.5, "markerfacecolor": "white"},
    "measured": {"linestyle": "none", "marker": "o", "markersize": 6.5, "markerfacecolor": "white"},
    "paper": {"linestyle": "none", "marker": "*", "markersize": 11, "markeredgecolor": INK},
    "smpi": {"linestyle": "-", "marker": "D", "markersize": 4},
    "replay": {"linestyle": (0, (6, 2)), "marker": "s", "markersize": 3.4},
    "plogp": {"linestyle": (0, (1, 1.5)), "marker": "^", "markersize": 3.8},
    "loggp": {"linestyle": (0, (4, 1.5, 1, 1.5)), "marker": "v", "markersize": 3.8},
    "logp": {"linestyle": (0, (1, 3)), "marker": "P", "markersize": 3.8},
    "hockney": {"linestyle": (0, (1, 2)), "marker": "X", "markersize": 3.8},
}
SOURCE_LABELS = {"logp": "logp (length ignored)"}  # its times may lie below the bound
OTHER_SOURCE = {"linestyle": (0, (3, 1, 1, 1)), "marker": ".", "markersize": 5}

RC = {
    "font.size": 9, "axes.titlesize": 10, "axes.labelsize": 9, "axes.edgecolor": SOFT, "axes.labelcolor": INK,
    "axes.grid": True, "axes.axisbelow": True, "grid.color": LINE, "grid.linewidth": 0.7, "axes.spines.top": False,
    "axes.spines.right": False, "xtick.color": SOFT, "ytick.color": SOFT, "legend.frameon": False, "legend.fontsize": 8.5,
    "lines.linewidth": 1.5, "figure.facecolor": "white", "savefig.facecolor": "white", "svg.fonttype": "none",
    "axes.titlelocation": "left", "axes.titleweight": "bold", "font.family": "sans-serif",
}


class Picture(Figure):  # type: ignore[misc]
    """A figure that notebooks show by themselves, and whose SVG files keep their text."""

    def savefig(self, *arguments: Any, **more: Any) -> None:
        with matplotlib.rc_context(RC):
            super().savefig(*arguments, **more)

    def _repr_png_(self) -> bytes:
        out = io.BytesIO()
        self.savefig(out, format="png", dpi=144)
        return out.getvalue()


F = TypeVar("F", bound=Callable[..., Picture])


def in_look(draw: F) -> F:
    """The function draws in the common look."""
    @wraps(draw)
    def drawn(*arguments: Any, **more: Any) -> Picture:
        with matplotlib.rc_context(RC):
            return draw(*arguments, **more)
    return drawn  # type: ignore[return-value]


LEGEND_WIDTH = 1.75


def new_picture(rows: int = 1, columns: int = 1, width: float = 4.4, height: float = 3.2, beside: float = 0,
                **more: Any) -> "tuple[Picture, Any]":
    """A figure with panels of the given size in inches, and room beside them."""
    picture = Picture(figsize=(width * columns + beside, height * rows), layout="constrained")
    return picture, picture.subplots(rows, columns, squeeze=False, **more)


def legend_beside(axes: "List[Axes]", handles: List[Any]) -> None:
    """To the right of the last panel in the first row."""
    first_row = [axis for axis in axes if axis.get_subplotspec().rowspan.start == 0]
    first_row[-1].legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0)


def panels(count: int, width: float = 4.4, height: float = 3.2, **more: Any) -> "tuple[Picture, List[Axes]]":
    """So many panels, three in a row at most."""
    columns = 2 if count == 4 else min(3, count)
    rows = -(-count // columns)
    picture, axes = new_picture(rows, columns, width, height, **more)
    flat = list(axes.flat)
    for axis in flat[count:]:
        axis.set_visible(False)
    return picture, flat[:count]


def require(frame: "pandas.DataFrame", columns: Sequence[str], picture: str) -> None:
    missing = [column for column in columns if column not in frame]
    if missing:
        raise BadInput(f"frame: has no column {', '.join(missing)}; {picture} needs {', '.join(columns)}, as sweep() returns them")
    if frame.empty:
        raise BadInput(f"frame: has no rows; {picture} needs some")


def colours(names: Iterable[str]) -> Dict[str, str]:
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(dict.fromkeys(names))}


def plan_names(frame: "pandas.DataFrame") -> "pandas.Series":
    """The plans as they were asked for, with the collective where there are several."""
    names = frame["requested"] if "requested" in frame else frame["algorithm"]
    return frame["collective"] + "/" + names if frame["collective"].nunique() > 1 else names


def size_axis(axis: Axes, sizes: Iterable[float], label: str = "message size") -> None:
    """A logarithmic axis of bytes with binary units."""
    values = sorted({max(float(size), 0.5) for size in sizes})
    if values[0] == values[-1]:
        axis.set_xticks(values, [_core.format_bytes(int(values[0]))])
    else:
        axis.set_xscale("log", base=2)
        import math
        low, high = math.floor(math.log2(values[0])), math.ceil(math.log2(values[-1]))
        step = next(s for s in (1, 2, 3, 5, 10, 20) if (high - low) / s <= 7)
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
    axis.yaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5, 7) if high / max(low, 1e-9) < 12 else (1, 2, 5), numticks=12))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_ylabel(label)
