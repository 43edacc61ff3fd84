"""The points that users ask for, checked."""

from __future__ import annotations

from .. import _core
from .._core import BadInput
from ..arguments import Sizes, What, plans_of, sizes_of, whole, wrong_type
from ..sources import Point
from .placed_network import PlacedNetwork


def points_of(platform: PlacedNetwork, what: What, bytes: Sizes, element_bytes: int, root: int) -> list[Point]:
    """Each plan at each size; plans named by `/all` only where they serve the call."""
    element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
    root = whole("root", root, 0, platform.ranks - 1)
    plans = plans_of(what)
    sizes = sizes_of(bytes)
    points = [
        (plan, size, element_bytes, root)
        for plan in plans
        for size in (sizes if not plan.startswith("barrier/") else [0])
    ]
    served = _core.questions(platform._core, "replay", points, _core.Settings(1, 1, "fifo", "auto"))
    kept = [point for point, question in zip(points, served) if question or not plans[point[0]]]
    if not kept:
        raise BadInput(f"what: no algorithm of {what} serves this")
    return kept


def collective_named(name: object) -> str:
    if not isinstance(name, str):
        raise wrong_type("collective", name, "the name of a collective, as 'broadcast'")
    return name
