"""The search of Kielmann 2000 for the parameters of its broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core
from .arguments import Sizes, sizes_of, whole, wrong_type
from .descriptions import described
from .frames import table
from .platform import Platform

if TYPE_CHECKING:
    import pandas


@described
def search_kielmann(
    platform: Platform, bytes: Sizes, *, element_bytes: int = 1, exhaustively: bool = False
) -> pandas.DataFrame:
    """Finds segment and degrees of the pipelined broadcast as Kielmann 2000, section 3.1, does.

    Parameters
    ----------
    platform : Platform
        The platform whose two layers are searched for.
    {sizes, element_bytes}
    exhaustively : bool
        Whether every plan there is is tried, in place of the paper's heuristic.

    Returns
    -------
    pandas.DataFrame
        One row a size: bytes, segment_bytes, segments, wan_degree, lan_degree, seconds (by the closed form),
        evaluations.

    Examples
    --------
    >>> isthmus.models.search_kielmann(das, "1Ki,1Mi")[["bytes", "segments", "wan_degree", "seconds"]]
         bytes  segments  wan_degree   seconds
    0     1024         1           3  0.011276
    1  1048576         7           3  1.074309
    """
    if not isinstance(platform, Platform):
        raise wrong_type("platform", platform, "a Platform")
    element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
    rows = [
        (size, *_core.search_kielmann(platform._core, size, element_bytes, exhaustively)) for size in sizes_of(bytes)
    ]
    names = ["bytes", "segment_bytes", "segments", "wan_degree", "lan_degree", "seconds", "evaluations"]
    columns: list[list[float]] = [list(column) for column in zip(*rows)]
    return table(dict(zip(names, columns)))
