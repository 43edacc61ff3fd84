"""What the notebooks of the papers share: claims with what came of them, and results kept beside the notebook."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._core import BadInput
from .needs import need

if TYPE_CHECKING:
    import pandas

#: Whether notebooks run their full ranges: ISTHMUS_FULL=1 in the environment.
FULL = os.environ.get("ISTHMUS_FULL") == "1"


class Claims:
    """The claims of a paper, one row each: what it says, what came out here, within which tolerance."""

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self._rows: list[dict[str, Any]] = []

    def number(self, claim: str, paper: float, here: float, tolerance_percent: float, unit: str) -> None:
        """The paper prints a number; it came out if ours differs by no more than the tolerance."""
        percent = 100 * (here / paper - 1)
        self._rows.append(
            {
                "claim": claim,
                "paper": f"{paper:g} {unit}",
                "here": f"{here:g} {unit}",
                "difference": f"{percent:+.2f} %",
                "tolerance": f"{tolerance_percent:g} %",
                "came out": abs(percent) <= tolerance_percent,
            }
        )

    def statement(self, claim: str, paper: str, here: str, criterion: str, holds: bool) -> None:
        """The paper says something; it came out if the criterion, in words, holds here."""
        self._rows.append(
            {
                "claim": claim,
                "paper": paper,
                "here": here,
                "difference": "",
                "tolerance": criterion,
                "came out": bool(holds),
            }
        )

    def frame(self) -> pandas.DataFrame:
        frame = need("pandas", "a table").DataFrame(self._rows)
        frame["came out"] = frame["came out"].map({True: "yes", False: "no"})
        return frame

    def _repr_html_(self) -> str:
        frame = self.frame()
        style = (
            frame.style.hide(axis="index").set_properties(**{"text-align": "left"})
            if hasattr(frame.style, "hide")
            else None
        )
        yes = (frame["came out"] == "yes").sum()
        body = style.to_html() if style is not None else frame.to_html(index=False)
        return f"<p>{self.paper}: {yes} of {len(frame)} claims came out.</p>{body}"

    def __repr__(self) -> str:
        return f"{self.paper}\n{self.frame().to_string(index=False)}"


def commit() -> str:
    """The commit of the repository that holds the working folder; `unknown` outside of one."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def keep(frame: pandas.DataFrame, file: str, columns: Sequence[str]) -> None:
    """Writes a table beside the notebook, its first line naming the commit that made it."""
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = frame[list(columns)].to_csv(index=False, float_format="%.9g")
    _core.write_whole_file(file, f"# made by commit {commit()}\n{text}")


def kept(file: str) -> pandas.DataFrame | None:
    """What keep() wrote; None when there is nothing."""
    pandas = need("pandas", "a table")
    return pandas.read_csv(file, comment="#") if Path(file).is_file() else None


def same_as_kept(
    frame: pandas.DataFrame, file: str, keys: Sequence[str], value: str = "seconds", relative: float = 1e-6
) -> int:
    """How many rows of a table the kept one has too; raises BadInput naming the first whose value differs."""
    before = kept(file)
    if before is None:
        raise BadInput(f"file: {file} is not there; run the notebook with ISTHMUS_FULL=1 to make it")
    both = frame.merge(before, on=list(keys), suffixes=("", "_kept"))
    apart = both[(both[value] / both[value + "_kept"] - 1).abs() > relative]
    if len(apart):
        first = apart.iloc[0]
        raise BadInput(
            f"{file}: {', '.join(str(first[key]) for key in keys)} has {first[value + '_kept']}, "
            f"{first[value]} came out now; run the notebook with ISTHMUS_FULL=1 when that is right"
        )
    return len(both)
