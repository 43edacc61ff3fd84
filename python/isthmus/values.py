"""What objects of the module are made of: by this they are compared and hashed, copied and sent to other processes."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any, TypeVar

from ._core import Algorithm, ChannelFiles, Network, Placed, PLogP, Schedule, Topology, algorithms_of

Kind = TypeVar("Kind")


def _is_made_of(
    kind: type[Kind], parts: Callable[[Kind], tuple[Any, ...]], make: Callable[..., Kind], compared: int | None = None
) -> None:
    """Makes values of the objects of a class. The parts can be hashed; `make` makes an equal object of them.

    `compared`: how many parts say whether two are equal, from the first on; all when left out.
    """

    def equal(self: Kind, other: object) -> bool:
        if not isinstance(other, kind):
            return NotImplemented
        return self is other or parts(self)[:compared] == parts(other)[:compared]

    setattr(kind, "__eq__", equal)
    setattr(kind, "__hash__", lambda self: hash(parts(self)[:compared]))
    copyreg.pickle(kind, lambda self: (make, parts(self)))


def _network(text: str) -> Network:
    return Network.from_json(text)


def _channels(text: str) -> ChannelFiles:
    return ChannelFiles.from_json(text)


def _algorithm(collective: str, id: str) -> Algorithm:
    return next(algorithm for algorithm in algorithms_of(collective) if algorithm.id == id)


def _topology(*paths: tuple[str, ...]) -> Topology:
    return Topology.from_paths(paths)


def _paths(topology: Topology) -> tuple[tuple[str, ...], ...]:
    paths: list[tuple[str, ...]] = [()] * topology.size
    for group in sorted(topology.groups(), key=lambda group: int(group["level"])):
        for rank in group["ranks"] if group["level"] > 0 else ():
            paths[rank] += (group["name"],)
    return tuple(paths)


def _placed(network: Network, hosts: tuple[str, ...], set_links: tuple[str, ...]) -> Placed:
    return Placed(network, list(hosts), list(set_links))


_is_made_of(Network, lambda network: (network.to_json(),), _network)
_is_made_of(Topology, _paths, _topology)
_is_made_of(ChannelFiles, lambda channels: (channels.to_json(),), _channels)
_is_made_of(Placed, lambda placed: (placed.network, tuple(placed.hosts), tuple(placed.set_links)), _placed, 2)
_is_made_of(Algorithm, lambda algorithm: (algorithm.collective, algorithm.id), _algorithm)
_is_made_of(Schedule, lambda one: (one.placed, one.plan, one.bytes, one.element_bytes, one.root), Schedule)
_is_made_of(PLogP, lambda layer: (layer.latency_s, *(tuple(of) for of in layer.points().values())), PLogP)
