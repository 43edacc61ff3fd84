"""The style that all pictures share."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import matplotlib
from matplotlib.figure import Figure

from .. import _core
from .._core import BadInput

if TYPE_CHECKING:
    import pandas

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


# In figures of a given width, which are printed as large as they are drawn.
SMALL = {"font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "legend.fontsize": 7.5, "lines.linewidth": 1.2}
# These hold whatever the user has set: fonts that printers and publishers can read, in files of text.
ALWAYS = ("pdf.fonttype", "ps.fonttype", "svg.fonttype")


# matplotlib's settings are those of the whole process: threads draw one after the other.
ONE_DRAWS = threading.RLock()


def look() -> dict[str, Any]:
    """The settings of RC that the user has not made; a style sheet or rcParams of the user's come before them."""
    default = matplotlib.rcParamsDefault
    return {name: value for name, value in RC.items() if name in ALWAYS or matplotlib.rcParams[name] == default[name]}


def palette() -> list[str]:
    """The colours of the user's cycle if it is not matplotlib's own; else PALETTE."""
    own = matplotlib.rcParams["axes.prop_cycle"]
    if own == matplotlib.rcParamsDefault["axes.prop_cycle"]:
        return PALETTE
    return list(own.by_key().get("color", PALETTE))


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
        with ONE_DRAWS, matplotlib.rc_context({**look(), **(shared if hasattr(fname, "get_pagecount") else {})}):
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


F = TypeVar("F", bound=Callable[..., Any])


def in_look(draw: F) -> F:
    """A decorator: the function draws in the common style."""

    @wraps(draw)
    def drawn(*arguments: Any, **more: Any) -> Any:
        settings = look()
        if more.get("ax") is not None:
            settings = {}  # the axes are the user's, and so are their settings
        elif more.get("width") is not None:
            settings = {name: SMALL.get(name, value) for name, value in settings.items()}
        with ONE_DRAWS, matplotlib.rc_context({**settings, "text.parse_math": False}):  # names may have a $
            return draw(*arguments, **more)

    return drawn  # type: ignore[return-value]


def require(frame: pandas.DataFrame, columns: Sequence[str], picture: str) -> pandas.DataFrame:
    """A copy of the frame, categories as plain values. Raises BadInput without these columns, or without rows."""
    missing = [column for column in columns if column not in frame]
    if missing:
        raise BadInput(
            f"frame: has no column {', '.join(missing)}; {picture} needs {', '.join(columns)}, as sweep() returns them"
        )
    if frame.empty:
        raise BadInput(f"frame: has no rows; {picture} needs some")
    categories = frame.select_dtypes("category").columns
    return frame.astype({column: frame[column].cat.categories.dtype for column in categories})


def colours(names: Iterable[str]) -> dict[str, str]:
    cycle = palette()
    return {name: cycle[i % len(cycle)] for i, name in enumerate(dict.fromkeys(names))}


def plan_styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour, marker and line of each name; no two of the first 64 have colour and marker in common."""
    cycle = palette()
    count = len(cycle)
    lines = ["-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1.2, 1.5))]
    return {
        name: {
            "color": cycle[i % count],
            "marker": MARKERS[(i + i // count) % len(MARKERS)],
            "linestyle": lines[i // count % len(lines)],
        }
        for i, name in enumerate(dict.fromkeys(names))
    }


def cell_styles(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Colour and hatch of each name's cells; no two of the first 56 have both in common."""
    cycle = palette()
    count, hatches = len(cycle), ["", "////", "....", "xxxx", "\\\\\\\\", "++", "oo"]
    return {
        name: {"facecolor": cycle[i % count], "edgecolor": "white", "hatch": hatches[i // count % len(hatches)]}
        for i, name in enumerate(dict.fromkeys(names))
    }
