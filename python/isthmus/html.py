"""Pictures and tables for notebooks."""

import base64
from collections.abc import Iterable, Sequence
from html import escape

from . import _core
from .arguments import PathLike, path_of
from .descriptions import described


@described
class Svg(str):
    """An SVG file as text, which notebooks show as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, file: PathLike) -> None:
        """Writes the picture into a file.

        {Parameters: written_file}

        {Raises: unwritten}

        Examples
        --------
        >>> das.svg().save("das.svg")
        """
        _core.write_whole_file(path_of("file", file), self)


def picture(svg: str, max_width_px: int = 860) -> str:
    """The SVG as an HTML image, so that its style does not affect the page."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="" style="width:100%;max-width:{max_width_px}px" src="data:image/svg+xml;base64,{data}">'


def facts(rows: Iterable[Sequence[object]]) -> str:
    left = 'style="text-align:left"'
    cells = "".join(
        f"<tr><th {left}>{escape(str(key))}</th><td {left}>{escape(str(value))}</td></tr>" for key, value in rows
    )
    return f"<table>{cells}</table>"
