"""The points that users ask for, checked."""

from __future__ import annotations

from collections.abc import Iterable

from .. import _core
from .._core import BadInput
from ..arguments import Size, Sizes, What, one_size, plans_of, sizes_of, whole, wrong_type
from ..sources import Point
from .placed_network import PlacedNetwork


def points_of(platform: PlacedNetwork, what: What, bytes: Sizes | None, element_bytes: int, root: int) -> list[Point]:
    """Each plan at each size; plans named by `/all` only where they serve the call."""
    element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
    root = whole("root", root, 0, platform.ranks - 1)
    plans = plans_of(what)
    points = [
        (plan, size, element_bytes, root) for plan, sizes in sizes_of_each(plans, bytes).items() for size in sizes
    ]
    served = _core.questions(platform._core, "replay", points, _core.Settings(1, 1, "fifo", "auto"))
    kept = [point for point, question in zip(points, served) if question or not plans[point[0]]]
    if not kept:
        raise BadInput(f"what: no algorithm of {what} serves this")
    return kept


def sizes_of_each(names: Iterable[str], bytes: Sizes | None) -> dict[str, list[int]]:
    """The sizes of each collective or plan: those given, and 0 of a barrier beside others, which has none.

    A barrier alone keeps what is given, so that sizes above 0 are refused by what uses them.
    """
    is_barrier = {name: name.partition("/")[0].lower().removeprefix("mpi_") == "barrier" for name in names}
    for name, has_none in is_barrier.items():
        if bytes is None and not has_none:
            right = f"sizes for {name.partition('/')[0]}, e.g. '1,64Ki,4Mi', would be right"
            raise TypeError(f"bytes: is missing; {right}")
    sizes = [0] if bytes is None else sizes_of(bytes)
    alone = all(is_barrier.values())
    return {name: [0] if has_none and not alone else sizes for name, has_none in is_barrier.items()}


def size_of(name: str, bytes: Size | None) -> int:
    """The same of one plan at one size."""
    return sizes_of_each([name], bytes)[name][0] if bytes is None else one_size(bytes)


def collective_named(name: object) -> str:
    if not isinstance(name, str):
        raise wrong_type("collective", name, "the name of a collective, as 'broadcast'")
    return name
