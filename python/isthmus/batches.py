"""The unit of work of a sweep: points of one platform and source that run together, on any machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ._core import Error
from .platform import Platform
from .sources import MODELS, Point, run_points

# The largest number of model points in a batch, and of their ranks in sum.
MAX_MODEL_POINTS = 48
MAX_MODEL_RANKS = 1 << 16
# The largest number of simulated points of one plan that share one simulator process.
MAX_SIMULATED_POINTS = 4

# The result of one point: {"record": TEXT}, {"error": KIND, "message": TEXT}, or {} if the source has no answer.
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
    """Batches for (number, platform, source, point): models first, emulation, which needs the whole machine, last."""
    groups: dict[tuple[Any, ...], list[tuple[int, Point]]] = {}
    for number, platform, source, point in asked:
        together = () if source in MODELS else (point[0], point[2], point[3])
        groups.setdefault((platform, source, *together), []).append((number, point))
    found: list[Batch] = []
    for (platform, source, *_), members in groups.items():
        if source in MODELS:
            most = max(1, min(MAX_MODEL_POINTS, MAX_MODEL_RANKS // ranks[platform], len(members) // (4 * workers) or 1))
        else:
            most = len(members) if source == "emulated" else MAX_SIMULATED_POINTS
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

    If running them together fails, each point is run by itself, so that one bad point costs no other.

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
    except Exception as error:  # every error is reported to the sweep
        if len(points) > 1:
            return [answer for point in points for answer in run_batch(platform, {**batch, "points": [point]})]
        return [failed(error)]
    return [{"record": text} if text is not None else {} for text in texts]


def failed(error: BaseException) -> Answer:
    if isinstance(error, Error):
        return {"error": type(error).__name__, "message": str(error)}
    return {"error": "Refused", "message": f"{type(error).__name__}: {error}"}
