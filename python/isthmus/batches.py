"""The unit of work of a sweep: points of one platform and source, run together, on whatever machine."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from .platform import Platform
from .sources import MODELS, Point, run_points

# Model points that are worth one message to a worker, and the work that a batch may hold at most.
MOST_MODEL_POINTS = 48
MOST_MODEL_RANKS = 1 << 16
# Simulated points of one plan that share the start of a simulator.
MOST_SIMULATED_POINTS = 4


@dataclass
class Batch:
    """`numbers` are those of the points in the sweep; `platform` is a key of the sweep's table of platforms."""

    numbers: List[int]
    platform: str
    source: str
    points: List[Point]
    settings: Dict[str, Any]
    deaths: int = 0  #: of workers that had it

    def data(self) -> Dict[str, Any]:
        return {"platform": self.platform, "source": self.source, "points": self.points, "settings": self.settings}

    def split(self) -> "List[Batch]":
        return [Batch([number], self.platform, self.source, [point], self.settings, self.deaths)
                for number, point in zip(self.numbers, self.points)]


def batches_of(asked: Sequence[Tuple[int, str, str, Point]], settings: Dict[str, Any], ranks: Dict[str, int],
               workers: int) -> List[Batch]:
    """Batches for (number, platform, source, point), models first, what needs the machine to itself last."""
    groups: Dict[Tuple[Any, ...], List[Tuple[int, Point]]] = {}
    for number, platform, source, point in asked:
        together = () if source in MODELS else (point[0], point[2], point[3])
        groups.setdefault((platform, source, *together), []).append((number, point))
    found: List[Batch] = []
    for (platform, source, *_), members in groups.items():
        if source in MODELS:
            most = max(1, min(MOST_MODEL_POINTS, MOST_MODEL_RANKS // ranks[platform], len(members) // (4 * workers) or 1))
        else:
            most = len(members) if source == "emulated" else MOST_SIMULATED_POINTS
        for first in range(0, len(members), most):
            part = members[first:first + most]
            found.append(Batch([n for n, _ in part], platform, source, [p for _, p in part], settings))
    cost = {"emulated": 2, "smpi": 1}
    return sorted(found, key=lambda batch: cost.get(batch.source, 0))


@lru_cache(maxsize=16)
def _platform(text: str) -> Platform:
    import json
    return Platform.from_data(json.loads(text))


def run_batch(platform: str, batch: Dict[str, Any]) -> List[str]:
    """Records as JSON texts, in the order of the points. `platform` is Platform.as_data() as JSON."""
    points: List[Point] = [tuple(point) for point in batch["points"]]  # type: ignore[misc]
    return run_points(_platform(platform), batch["source"], points, batch["settings"])


def pairs(batch: Batch, texts: Sequence[str]) -> Iterator[Tuple[int, str]]:
    return zip(batch.numbers, texts)
