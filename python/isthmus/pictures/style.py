"""The style that all pictures share."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

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
SOURCES: dict[str, dict[str, Any]] = {
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
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.5,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "font.family": "sans-serif",
}


class Picture(Figure):  # type: ignore[misc]
    """A figure that notebooks show by themselves.

    Its SVG files keep their text and its PDF files embed TrueType fonts (no Type 3), whatever the user's settings are.
    In a PdfPages, whose pages share their fonts, those settings hold.
    """

    def savefig(self, fname: Any, *arguments: Any, **more: Any) -> None:
        """Writes the figure as matplotlib does; a file appears when all of it is there.

        Parameters
        ----------
        fname : str, os.PathLike or file object
            Where it is written; the ending says in which format.
        *arguments, **more
            As for matplotlib.figure.Figure.savefig().
        """
        shared = {name: matplotlib.rcParams[name] for name in ("pdf.fonttype",)}
        with matplotlib.rc_context({**RC, **(shared if hasattr(fname, "get_pagecount") else {})}):
            if not isinstance(fname, (str, os.PathLike)):
                super().savefig(fname, *arguments, **more)
                return
            file = os.fspath(fname)
            if "format" not in more:
                ending = os.path.splitext(file)[1][1:]
                more["format"] = ending or matplotlib.rcParams["savefig.format"]
                file = file if ending else f"{file.rstrip('.')}.{more['format']}"
            drawn = io.BytesIO()
            super().savefig(drawn, *arguments, **more)
            _core.write_whole_file(file, drawn.getvalue())

    def _repr_png_(self) -> bytes:
        out = io.BytesIO()
        self.savefig(out, format="png", dpi=144)
        return out.getvalue()


F = TypeVar("F", bound=Callable[..., Picture])


def in_look(draw: F) -> F:
    """A decorator: the function draws in the common style."""

    @wraps(draw)
    def drawn(*arguments: Any, **more: Any) -> Picture:
        with matplotlib.rc_context(RC):
            return draw(*arguments, **more)

    return drawn  # type: ignore[return-value]


def new_picture(
    rows: int = 1, columns: int = 1, width: float = 4.4, height: float = 3.2, **more: Any
) -> tuple[Picture, Any]:
    """A figure with panels of the given size in inches."""
    picture = Picture(figsize=(width * columns, height * rows), layout="constrained")
    return picture, picture.subplots(rows, columns, squeeze=False, **more)


def legend_beside(picture: Picture, handles: list[Any]) -> None:
    """Puts the legend to the right of all panels: the figure grows by its width, the panels keep their size."""
    if not handles:
        return
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(picture).get_renderer()
    width, height = picture.get_size_inches()
    for columns in range(1, len(handles) + 1):
        legend = picture.legend(handles=handles, loc="upper left", ncol=columns, borderaxespad=0, columnspacing=1.2)
        size = legend.get_window_extent(renderer)
        if size.height / picture.dpi <= height - 0.2 or columns == len(handles):
            break
        legend.remove()
    legend.set_in_layout(False)
    wide = width + size.width / picture.dpi + 0.15
    picture.set_size_inches(wide, height)
    picture.get_layout_engine().set(rect=(0, 0, width / wide, 1))
    legend.set_bbox_to_anchor(((width + 0.05) / wide, 1 - 0.1 / height), picture.transFigure)


def left_labels_only(axes: list[Axes]) -> None:
    """Panels that share their vertical axis are labelled where a row begins."""
    for axis in axes:
        if axis.get_subplotspec().colspan.start > 0:
            axis.set_ylabel("")


def panels(count: int, width: float = 4.4, height: float = 3.2, **more: Any) -> tuple[Picture, list[Axes]]:
    """A figure with this number of panels, at most three in a row."""
    columns = 2 if count == 4 else min(3, count)
    rows = -(-count // columns)
    picture, axes = new_picture(rows, columns, width, height, **more)
    flat = list(axes.flat)
    for axis in flat[count:]:
        axis.set_visible(False)
    return picture, flat[:count]


def require(frame: pandas.DataFrame, columns: Sequence[str], picture: str) -> None:
    missing = [column for column in columns if column not in frame]
    if missing:
        raise BadInput(
            f"frame: has no column {', '.join(missing)}; {picture} needs {', '.join(columns)}, as sweep() returns them"
        )
    if frame.empty:
        raise BadInput(f"frame: has no rows; {picture} needs some")


def colours(names: Iterable[str]) -> dict[str, str]:
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(dict.fromkeys(names))}


def plan_styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour, marker and line of each name; no two of the first 64 have colour and marker in common."""
    count = len(PALETTE)
    lines = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5))]
    return {
        name: {
            "color": PALETTE[i % count],
            "marker": MARKERS[(i + i // count) % count],
            "linestyle": lines[i // count % len(lines)],
        }
        for i, name in enumerate(dict.fromkeys(names))
    }


def cell_styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour and hatch of each name's cells; no two of the first 56 have both in common."""
    count, hatches = len(PALETTE), ["", "////", "....", "xxxx", "\\\\\\\\", "++", "oo"]
    return {
        name: {"facecolor": PALETTE[i % count], "edgecolor": "white", "hatch": hatches[i // count % len(hatches)]}
        for i, name in enumerate(dict.fromkeys(names))
    }


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
    axis.yaxis.set_major_locator(
        LogLocator(subs=(1, 1.5, 2, 3, 5, 7) if high / max(low, 1e-9) < 12 else (1, 2, 5), numticks=12)
    )
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_ylabel(label)
