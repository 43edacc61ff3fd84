"""Decision tables: the best plan for each call, found in advance; for the drop-in and for other libraries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING

from . import _core
from .arguments import (
    PathLike,
    Size,
    Sizes,
    list_of,
    number,
    one_of,
    path_of,
    seconds,
    sizes_of,
    substrate_words,
    whole,
    with_old_names,
    wrong_type,
)
from .descriptions import described
from .frames import table
from .platform import Platform
from .platform.points import collective_named, size_of
from .programs import run_isthmus

if TYPE_CHECKING:
    import pandas

FORMS = ("json", "openmpi", "openmpi-json", "mpich", "nccl")


@described
class DecisionTable:
    """The best plans by collective, root and size for the ranks of a platform; made by tune().

    Parameters
    ----------
    {platform}
    text : str
        The table as JSON.

    Attributes
    ----------
    platform : Platform
        The platform that the table is for.

    Raises
    ------
    BadInput
        When the text is no table.
    {other_topology}

    Examples
    --------
    >>> isthmus.tune(das, "broadcast", "1,1Ki")
    <isthmus.DecisionTable das-4x4: 2 decisions>
    """

    def __init__(self, platform: Platform, text: str) -> None:
        if not isinstance(platform, Platform):
            raise wrong_type("platform", platform, "a Platform")
        if not isinstance(text, str):
            raise wrong_type("text", text, "a table as JSON")
        self.platform = platform
        self._text = _core.export_decisions(platform._core, text, "json")

    @classmethod
    def read(cls, platform: Platform, file: PathLike) -> DecisionTable:
        """Reads a table that save() or `isthmus tune -o` wrote.

        Parameters
        ----------
        {platform}
        file : str or os.PathLike
            The file, as JSON.

        Returns
        -------
        DecisionTable
            The table.

        Raises
        ------
        BadInput
            When the file holds no table.
        {other_topology}

        Examples
        --------
        >>> isthmus.tune(das, "broadcast", "1,1Ki").save("table.json")
        >>> isthmus.DecisionTable.read(das, "table.json")
        <isthmus.DecisionTable das-4x4: 2 decisions>
        """
        return cls(platform, _core.read_whole_file(path_of("file", file), "a decision table is needed"))

    def frame(self) -> pandas.DataFrame:
        """Lists the decisions.

        Returns
        -------
        pandas.DataFrame
            One row a decision: collective, root, bytes, plan, seconds, by (where they come from), and how much longer
            the best plan of another algorithm takes: runner_up, runner_up_percent.

        Examples
        --------
        >>> isthmus.tune(das, "broadcast", "1,1Ki").frame()[["bytes", "seconds", "by"]]
           bytes   seconds      by
        0      1  0.010151  replay
        1   1024  0.011274  replay
        """
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

    def plan(self, collective: str, bytes: Size | None = None, *, root: int = 0) -> str:
        """Gives the plan for a call: that of the nearest size in the table.

        Parameters
        ----------
        {collective}
        bytes : int or str, optional
            One size in bytes, as 4096 or "64Ki"; a barrier has none.
        {root}

        Returns
        -------
        str
            The plan with its collective, as Platform.schedule() takes it.

        {Raises BadInput: When the collective is not in the table.}

        Examples
        --------
        >>> isthmus.tune(das, "broadcast", "1,1Ki").plan("broadcast", 700)
        'broadcast/packed:packing=0.0.0.0:1,lag=902'
        """
        name, root = collective_named(collective), whole("root", root, 0, self.platform.ranks - 1)
        return _core.decided_plan(self.platform._core, self._text, name, size_of(name, bytes), root)

    def export(self, as_: str = "json") -> str:
        """Writes the table in the form of a library.

        Other libraries know fewer algorithms: sizes without a counterpart are left out.

        Parameters
        ----------
        as_ : str
            "json" (what the drop-in reads), "openmpi" (dynamic rules), "openmpi-json", "mpich" (selection JSON), or
            "nccl" (tuner CSV).

        {Returns: file_text}

        {Raises: wrong_form}

        Examples
        --------
        >>> text = isthmus.tune(das, "broadcast", "1,1Ki").export("openmpi")
        """
        return _core.export_decisions(self.platform._core, self._text, one_of("as_", as_, FORMS))

    def save(self, file: PathLike, as_: str = "json") -> None:
        """Writes the table into a file.

        Parameters
        ----------
        {written_file}
        as_ : str
            The form, as for export().

        {Raises: unwritten}

        Examples
        --------
        >>> isthmus.tune(das, "broadcast", "1,1Ki").save("table.json")
        """
        _core.write_whole_file(path_of("file", file), self.export(as_))

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(index=False))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DecisionTable):
            return NotImplemented
        return (self.platform, self._text) == (other.platform, other._text)

    def __hash__(self) -> int:
        return hash((self.platform, self._text))

    def __repr__(self) -> str:
        return f"<isthmus.DecisionTable {self.platform.name}: {len(json.loads(self._text)['decisions'])} decisions>"


@with_old_names(most_plans="max_plans")
@described
def tune(
    platform: Platform,
    collectives: str | Sequence[str],
    bytes: Sizes = "1..1Mi",
    *,
    roots: int | Sequence[int] = 0,
    by: str = "replay",
    max_plans: int = 8,
    close_percent: float = 25,
    substrate: str = "auto",
    timeout_s: float = 600,
) -> DecisionTable:
    """Finds the best plan for every collective, root and size.

    Parameters
    ----------
    platform : Platform
        The platform that the calls are made on.
    collectives : str or list of str
        Their names, as "broadcast".
    {sizes, roots}
    by : str
        "replay", in this process; or "smpi" or "emulated", where the plans that the replay finds best are timed.
    max_plans : int
        How many plans of a call are timed at most.
    close_percent : float
        Plans are timed when the replay puts them within this of its best, in percent.
    {substrate, timeout_s}

    Returns
    -------
    DecisionTable
        A decision for every collective, root and size.

    {Raises: wrong_argument}

    Examples
    --------
    >>> isthmus.tune(das, ["broadcast", "reduce"], "1..1Ki")
    <isthmus.DecisionTable das-4x4: 22 decisions>
    """
    if not isinstance(platform, Platform):
        raise wrong_type("platform", platform, "a Platform")
    names = list_of("collectives", collectives, (str,), "'broadcast' or a list")
    ranks = [
        whole("roots", root, 0, platform.ranks - 1)
        for root in list_of("roots", roots, (Integral,), "a rank or a list of ranks")
    ]
    sizes = sizes_of(bytes)
    max_plans = whole("max_plans", max_plans, 1)
    close_percent, timeout_s = number("close_percent", close_percent, zero=True), seconds("timeout_s", timeout_s)
    if one_of("by", by, ("replay", "smpi", "emulated")) == "replay":
        return DecisionTable(platform, _core.tune(platform._core, names, sizes, ranks))
    lines: list[str] = []
    run_isthmus(
        [
            "tune",
            *platform._file_arguments(),
            *names,
            "--bytes",
            ",".join(map(str, sizes)),
            "--roots",
            ",".join(map(str, ranks)),
            "--by",
            by,
            "--plans",
            str(max_plans),
            "--close",
            repr(close_percent),
            *substrate_words(by, substrate),
            "--timeout",
            repr(timeout_s),
            "--format",
            "json",
            *platform.placement_arguments(),
        ],
        lines.append,
    )
    return DecisionTable(platform, "\n".join(lines))
