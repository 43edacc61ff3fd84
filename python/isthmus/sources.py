"""Sources of records: models in this process, simulation and emulation by the program `isthmus`."""

from __future__ import annotations

import itertools
import json
import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _core
from .programs import json_lines

if TYPE_CHECKING:
    from .platform.placed_network import PlacedNetwork

SOURCES: tuple[str, ...] = tuple(_core.source_names())
COMMANDS = {"smpi": "simulate", "emulated": "emulate"}
#: The settings that each command takes as options.
OPTIONS = {"smpi": ("repetitions", "queueing"), "emulated": ("repetitions", "warm_up", "substrate")}
MODELS: tuple[str, ...] = tuple(source for source in SOURCES if source not in COMMANDS)

Point = tuple[str, int, int, int]  # plan, bytes, element_bytes, root


@dataclass(frozen=True)
class SweepPoint:
    """A point of a sweep, as a filter sees it.

    Attributes
    ----------
    platform : str
        The name of the platform.
    collective : str
        As "broadcast".
    algorithm : str
        The plan as asked for, as "broadcast/kielmann:segment=64Ki".
    bytes : int
        What the MPI call passes for one buffer or block.
    source : str
        Where the number comes from.
    root : int
        The rank of the root.
    ranks : int
        The number of ranks.
    """

    platform: str
    collective: str
    algorithm: str  #: the plan as asked for, `broadcast/kielmann:segment=64Ki`
    bytes: int
    source: str
    root: int
    ranks: int


@contextmanager
def this_machine_to_myself(what: str) -> Iterator[None]:
    """A lock by name on this machine. It is released when its holder ends, even if that is killed."""
    lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        while True:
            try:
                lock.bind(f"\0isthmus-{what}-{os.getuid()}")  # an abstract name: no file
                break
            except OSError:
                time.sleep(0.2)
        yield
    finally:
        lock.close()


def run_program(platform: PlacedNetwork, source: str, points: Sequence[Point], settings: dict[str, Any]) -> list[str]:
    """Records, as JSON texts in the order of the points, from `isthmus simulate` or `isthmus emulate`."""
    file, *options = platform.arguments()
    for key in OPTIONS[source]:
        if key in settings:
            options += ["--" + key.replace("_", "-"), str(settings[key])]
    options += ["--timeout", repr(settings.get("timeout_s", 600.0))]
    texts: dict[Point, str] = {}
    for (plan, element_bytes, root), group in itertools.groupby(points, lambda point: (point[0], point[2], point[3])):
        sizes = sorted({point[1] for point in group})
        rooted = root if _core.has_root(plan.partition("/")[0]) else 0
        for record in json_lines(
            [
                COMMANDS[source],
                file,
                plan,
                "--bytes",
                ",".join(map(str, sizes)),
                "--element-bytes",
                str(element_bytes),
                "--root",
                str(rooted),
                *options,
            ]
        ):
            texts[plan, record["bytes"], element_bytes, root] = json.dumps(record)
    return [texts[tuple(point)] for point in points]  # type: ignore[index]


def run_points(
    platform: PlacedNetwork, source: str, points: Sequence[Point], settings: dict[str, Any]
) -> list[str | None]:
    """Asks any source for the records of some points.

    Parameters
    ----------
    platform : Platform
        The platform that they are about.
    source : str
        Of SOURCES.
    points : list of tuple
        Each with a plan, bytes, element_bytes and root.
    settings : dict of str to object
        repetitions, warm_up, queueing, substrate, timeout_s.

    Returns
    -------
    list of (str or None)
        Records as JSON, in the order of the points; None where the plan that is chosen has no answer.
    """
    if source in MODELS:
        return list(_core.run_models(platform._core, source, list(points)))
    if source == "emulated":
        with this_machine_to_myself("emulation"):
            return list(run_program(platform, source, points, settings))
    return list(run_program(platform, source, points, settings))
