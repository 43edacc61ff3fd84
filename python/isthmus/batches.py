"""The unit of work of a sweep: points of one platform and source, run together, on whatever machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ._core import Error
from .platform import Platform
from .sources import MODELS, Point, run_points

# Model points that are worth one message to a worker, and the work that a batch may hold at most.
MOST_MODEL_POINTS = 48
MOST_MODEL_RANKS = 1 << 16
# Simulated points of one plan that share the start of a simulator.
MOST_SIMULATED_POINTS = 4

# What comes of one point: {"record": TEXT}, {"error": KIND, "message": TEXT}, or nothing where the source has no
# answer.
Answer = dict[str, str]


@dataclass
class Batch:
    """`numbers` are those of the points in the sweep; `platform` is a key of the sweep's table of platforms."""

    numbers: list[int]
    platform: str
    source: str
    points: list[Point]
    settings: dict[str, Any]
    deaths: int = 0  #: of workers that had this single point

    def data(self) -> dict[str, Any]:
        return {"platform": self.platform, "source": self.source, "points": self.points, "settings": self.settings}

    def split(self) -> list[Batch]:
        return [
            Batch([number], self.platform, self.source, [point], self.settings)
            for number, point in zip(self.numbers, self.points)
        ]


def batches_of(
    asked: Sequence[tuple[int, str, str, Point]], settings: dict[str, Any], ranks: dict[str, int], workers: int
) -> list[Batch]:
    """Batches for (number, platform, source, point), models first, what needs the machine to itself last."""
    groups: dict[tuple[Any, ...], list[tuple[int, Point]]] = {}
    for number, platform, source, point in asked:
        together = () if source in MODELS else (point[0], point[2], point[3])
        groups.setdefault((platform, source, *together), []).append((number, point))
    found: list[Batch] = []
    for (platform, source, *_), members in groups.items():
        if source in MODELS:
            most = max(
                1, min(MOST_MODEL_POINTS, MOST_MODEL_RANKS // ranks[platform], len(members) // (4 * workers) or 1)
            )
        else:
            most = len(members) if source == "emulated" else MOST_SIMULATED_POINTS
        for first in range(0, len(members), most):
            part = members[first : first + most]
            found.append(Batch([n for n, _ in part], platform, source, [p for _, p in part], settings))
    cost = {"emulated": 2, "smpi": 1}
    return sorted(found, key=lambda batch: cost.get(batch.source, 0))


@lru_cache(maxsize=16)
def _platform(text: str) -> Platform:
    import json

    return Platform.from_data(json.loads(text))


def run_batch(platform: str, batch: dict[str, Any]) -> list[Answer]:
    """Answers each point of a batch.

    Where the points fail together each is run by itself, so that those that can be answered are.

    Parameters
    ----------
    platform : str
        Platform.as_data() as JSON.
    batch : dict of str to object
        Batch.data().

    Returns
    -------
    list of Answer
        In the order of the points.
    """
    points: list[Point] = [tuple(point) for point in batch["points"]]  # type: ignore[misc]
    try:
        texts = run_points(_platform(platform), batch["source"], points, batch["settings"])
    except Exception as error:  # whatever it is: the sweep has to hear of it
        if len(points) > 1:
            return [answer for point in points for answer in run_batch(platform, {**batch, "points": [point]})]
        return [failed(error)]
    return [{"record": text} if text is not None else {} for text in texts]


def failed(error: BaseException) -> Answer:
    if isinstance(error, Error):
        return {"error": type(error).__name__, "message": str(error)}
    return {"error": "Refused", "message": f"{type(error).__name__}: {error}"}
