"""Decision tables: which plan serves which call best, found beforehand; for the drop-in and for other libraries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core
from .arguments import PathLike, Sizes, list_of, one_of, one_size, path_of, seconds, sizes_of, whole, wrong_type
from .frames import table
from .platform import Platform
from .programs import run_isthmus

if TYPE_CHECKING:
    import pandas

FORMS = ("json", "openmpi", "openmpi-json", "mpich", "nccl")


class DecisionTable:
    """The best plans by collective, root and size for the ranks of a platform; made by tune()."""

    def __init__(self, platform: Platform, text: str) -> None:
        self.platform = platform
        self._text = _core.export_decisions(platform._core, text, "json")

    @classmethod
    def read(cls, platform: Platform, file: PathLike) -> DecisionTable:
        """A table that save() or `isthmus tune -o` wrote. Raises Refused when it is for another topology."""
        return cls(platform, _core.read_whole_file(path_of("file", file), "a decision table is needed"))

    def frame(self) -> pandas.DataFrame:
        """One row a decision: collective, root, bytes, plan, seconds, by (where they come from), and how much longer
        the best plan of another algorithm takes: runner_up, runner_up_percent."""
        rows = []
        for decision in json.loads(self._text)["decisions"]:
            for one in decision["plans"]:
                one["plan"] = _core.exact_plan(decision["collective"], one["plan"])
            best, *others = decision["plans"]
            algorithm = best["plan"].partition(":")[0]
            second = next((one for one in others if one["plan"].partition(":")[0] != algorithm), None)
            rows.append(
                (
                    decision["collective"],
                    decision["root"],
                    decision["bytes"],
                    best["plan"],
                    best["seconds"],
                    decision["by"],
                    second["plan"] if second else None,
                    100 * (second["seconds"] / best["seconds"] - 1) if second and best["seconds"] > 0 else float("nan"),
                )
            )
        names = ["collective", "root", "bytes", "plan", "seconds", "by", "runner_up", "runner_up_percent"]
        return table({name: [row[i] for row in rows] for i, name in enumerate(names)})

    def plan(self, collective: str, bytes: int | str, *, root: int = 0) -> str:
        """The plan for a call: that of the nearest size in the table."""
        return _core.decided_plan(self.platform._core, self._text, collective, one_size(bytes), whole("root", root, 0))

    def export(self, as_: str = "json") -> str:
        """As text: `json` (what the drop-in reads), `openmpi` (dynamic rules), `openmpi-json`, `mpich` (selection
        JSON), `nccl` (tuner CSV). Other libraries know fewer algorithms: sizes without a counterpart are left out."""
        return _core.export_decisions(self.platform._core, self._text, one_of("as_", as_, FORMS))

    def save(self, file: PathLike, as_: str = "json") -> None:
        _core.write_whole_file(path_of("file", file), self.export(as_))

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(index=False))

    def __repr__(self) -> str:
        return f"<isthmus.DecisionTable {self.platform.name}: {len(json.loads(self._text)['decisions'])} decisions>"


def tune(
    platform: Platform,
    collectives: str | Sequence[str],
    bytes: Sizes = "1..1Mi",
    *,
    roots: int | Sequence[int] = 0,
    by: str = "replay",
    most_plans: int = 8,
    close_percent: float = 25,
    substrate: str = "auto",
    timeout_s: float = 600,
) -> DecisionTable:
    """The best plan for every collective, root and size.

    `by` the replay in this process; or `smpi` or `emulated`, where up to `most_plans` plans that the replay puts within
    `close_percent` of its best are timed. Raises BadInput naming the argument.
    """
    if not isinstance(platform, Platform):
        raise wrong_type("platform", platform, "a Platform")
    names = list_of("collectives", collectives, (str,), "'broadcast' or a list")
    ranks = [
        whole("roots", root, 0, platform.ranks - 1)
        for root in list_of("roots", roots, (int,), "a rank or a list of ranks")
    ]
    sizes = sizes_of(bytes)
    if one_of("by", by, ("replay", "smpi", "emulated")) == "replay":
        return DecisionTable(platform, _core.tune(platform._core, names, sizes, ranks))
    lines: list[str] = []
    run_isthmus(
        [
            "tune",
            platform.file(),
            *names,
            "--bytes",
            ",".join(map(str, sizes)),
            "--roots",
            ",".join(map(str, ranks)),
            "--by",
            by,
            "--plans",
            str(whole("most_plans", most_plans, 1)),
            "--close",
            repr(float(close_percent)),
            "--substrate",
            substrate,
            "--timeout",
            repr(seconds("timeout_s", timeout_s)),
            "--format",
            "json",
            *platform.placement_arguments(),
        ],
        lines.append,
    )
    return DecisionTable(platform, "\n".join(lines))
