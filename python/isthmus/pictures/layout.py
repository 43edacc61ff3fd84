"""Panels, widths and legends."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeAlias

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg

from .._core import BadInput
from ..arguments import wrong_type
from .style import Picture

# Inches; a column and the text of a page in two columns, as journals print them.
WIDTHS = {"column": 3.5, "page": 7.16}
MIN_PANEL_INCHES = 1.65
MAX_NATURAL = 12  # panels of full size
AxesLike: TypeAlias = "Axes | list[Axes] | None"
Width: TypeAlias = "str | float | None"
Drawn: TypeAlias = "Picture | Axes | list[Axes]"


@dataclass
class Sheet:
    """The panels of one picture: of a new figure, or axes that the user gave."""

    axes: list[Axes]
    picture: Picture | None  #: none: the axes are the user's
    given: AxesLike
    has_fixed_width: bool
    panel_inches: tuple[float, float]

    def result(self) -> Drawn:
        return self.picture if self.picture is not None else self.given

    def legend(self, handles: list[Any]) -> None:
        """Puts the legend outside the panels of a new figure, and into the user's first axes."""
        if not handles:
            return
        if self.picture is None:
            self.axes[0].legend(handles=handles)
        elif self.has_fixed_width:
            legend_below(self.picture, handles)
        else:
            legend_beside(self.picture, handles)

    def outer_labels_only(self, below: bool = True) -> None:
        """Labels the axes where a row begins, and where a column of panels ends."""
        if self.picture is None:
            return
        last = {axis.get_subplotspec().colspan.start: axis for axis in self.axes}
        for axis in self.axes:
            if axis.get_subplotspec().colspan.start > 0:
                axis.set_ylabel("")
            if below and last[axis.get_subplotspec().colspan.start] is not axis:
                axis.set_xlabel("")


def inches_of(width: Width) -> float | None:
    """ "column", "page" or a number of inches; none: as wide as the panels need."""
    if width is None:
        return None
    if isinstance(width, str):
        if width not in WIDTHS:
            raise BadInput(f"width: {width!r}; column, page or a number of inches would be right")
        return WIDTHS[width]
    if isinstance(width, bool) or not isinstance(width, Real):
        raise wrong_type("width", width, "column, page or a number of inches")
    if not 1 <= width <= 50:
        raise BadInput(f"width: {width}; 1 to 50 inches would be right")
    return float(width)


def columns_for(count: int, inches: float | None) -> int:
    """How many of so many panels stand beside each other."""
    wanted = 2 if count == 4 else min(3, count) if count <= MAX_NATURAL else 4
    if inches is None:
        return wanted
    return max(1, min(wanted, int(inches / MIN_PANEL_INCHES)))


def sheet(
    count: int,
    ax: AxesLike = None,
    width: Width = None,
    panel: tuple[float, float] = (4.4, 3.2),
    keeps_height: bool = False,
    **more: Any,
) -> Sheet:
    """So many panels: the user's axes, or a new figure of panels with this width and height in inches; a figure of a
    given width has panels of the same shape, or (`keeps_height`) of the same height."""
    inches = inches_of(width)
    if ax is not None:
        axes = [ax] if isinstance(ax, Axes) else list(getattr(ax, "flat", ax))
        if not all(isinstance(axis, Axes) for axis in axes):
            raise wrong_type("ax", ax, "axes of matplotlib, or a list of them")
        if len(axes) != count:
            raise BadInput(f"ax: {len(axes)} axes for {count} panels; as many axes as panels would be right")
        if inches is not None:
            raise BadInput("width: the figure is that of `ax`; one of the two would be right")
        for axis in axes:
            for title in (axis.title, axis._left_title, axis._right_title):
                title.set_parse_math(False)
        box = axes[0].get_window_extent()
        dpi = axes[0].figure.dpi
        return Sheet(axes, None, ax, True, (box.width / dpi, box.height / dpi))
    columns = columns_for(count, inches)
    rows = -(-count // columns)
    wide, high = panel if count <= MAX_NATURAL else (0.75 * panel[0], 0.78 * panel[1])
    if inches is not None:
        wide, high = inches / columns, high if keeps_height else max(1.45, min(high, high / wide * inches / columns))
    picture = Picture(figsize=(wide * columns, high * rows), layout="constrained")
    drawn = list(picture.subplots(rows, columns, squeeze=False, **more).flat)
    for axis in drawn[count:]:
        axis.remove()
    return Sheet(drawn[:count], picture, None, inches is not None, (wide, high))


def legend_beside(picture: Picture, handles: list[Any]) -> None:
    """Puts the legend to the right of all panels: the figure grows by its width, the panels keep their size."""
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


def legend_below(picture: Picture, handles: list[Any]) -> None:
    """Puts the legend below all panels: the figure grows by its height and keeps its width."""
    renderer = FigureCanvasAgg(picture).get_renderer()
    width, height = picture.get_size_inches()
    for columns in range(len(handles), 0, -1):
        legend = picture.legend(
            handles=handles, loc="upper center", ncol=columns, borderaxespad=0, columnspacing=1.0, handlelength=1.8
        )
        size = legend.get_window_extent(renderer)
        if size.width / picture.dpi <= width - 0.1 or columns == 1:
            break
        legend.remove()
    legend.set_in_layout(False)
    more = size.height / picture.dpi + 0.08
    picture.set_size_inches(width, height + more)
    picture.get_layout_engine().set(rect=(0, more / (height + more), 1, height / (height + more)))
    legend.set_bbox_to_anchor((0.5, (more - 0.04) / (height + more)), picture.transFigure)
