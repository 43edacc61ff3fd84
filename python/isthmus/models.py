"""What the models know beyond the time of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core
from .arguments import Sizes, sizes_of, whole
from .frames import table
from .platform import Platform

if TYPE_CHECKING:
    import pandas


def search_kielmann(
    platform: Platform, bytes: Sizes, *, element_bytes: int = 1, exhaustively: bool = False
) -> pandas.DataFrame:
    """Segment and degrees of the pipelined broadcast: the heuristic of Kielmann 2000, section 3.1, or every plan there
    is.

    Columns: bytes, segment_bytes, segments, wan_degree, lan_degree, seconds (closed form), evaluations.
    """
    element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
    rows = [
        (size, *_core.search_kielmann(platform._core, size, element_bytes, exhaustively)) for size in sizes_of(bytes)
    ]
    names = ["bytes", "segment_bytes", "segments", "wan_degree", "lan_degree", "seconds", "evaluations"]
    columns: list[list[float]] = [list(column) for column in zip(*rows)]
    return table(dict(zip(names, columns)))
