"""Platform: a network with its ranks in place, and the questions that can be asked of it."""

from __future__ import annotations

from ..descriptions import described
from .changes import Changes
from .graphs import Graphs
from .predictions import Layers, Predictions
from .runs import Runs
from .schedules import Schedules
from .tables import Tables

__all__ = ["Layers", "Platform"]


@described
class Platform(Tables, Graphs, Changes, Schedules, Predictions, Runs):
    """A network and where its ranks are.

    Parameters
    ----------
    source : str, os.PathLike or Network
        A SimGrid XML file, a network as JSON, or a Network.
    {placement, ranks_per_host, ranks}

    Attributes
    ----------
    network : Network
        Its hosts, links and routes.

    Raises
    ------
    BadInput
        When the file cannot be read, with file and line; when a host does not exist.
    TypeError
        When an argument is of another type.

    Examples
    --------
    Where `das` stands in other examples, it is this platform.

    >>> das = isthmus.Platform("platforms/kielmann2000/das-4x4.xml")
    >>> das
    <isthmus.Platform das-4x4: 16 hosts, 16 ranks>
    """
