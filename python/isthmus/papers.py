"""Shared by the notebooks on papers: tables of claims and their outcome, and results stored beside the notebook."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._core import BadInput
from .arguments import PathLike, path_of
from .needs import need

if TYPE_CHECKING:
    import pandas

#: Whether notebooks run their full ranges: ISTHMUS_FULL=1 in the environment.
FULL = os.environ.get("ISTHMUS_FULL") == "1"


COLUMNS = ["claim", "paper", "here", "difference", "tolerance", "came out"]


class Claims:
    """The claims of a paper, one row each: the paper's value, the value found here, the tolerance.

    Parameters
    ----------
    paper : str
        Authors and year.

    Attributes
    ----------
    paper : str
        Authors and year.

    Examples
    --------
    >>> claims = isthmus.papers.Claims("Kielmann 2000")
    >>> claims.number("time of the broadcast", paper=1.0, here=1.01, tolerance_percent=5, unit="s")
    >>> claims.frame()["came out"].tolist()
    ['yes']
    """

    def __init__(self, paper: str) -> None:
        self.paper = paper
        self._rows: list[dict[str, Any]] = []

    def number(self, claim: str, paper: float, here: float, tolerance_percent: float, unit: str) -> None:
        """Adds a number that the paper prints.

        The claim came out if the number found here differs by no more than the tolerance.

        Parameters
        ----------
        claim : str
            What the number says.
        paper, here : float
            The number in the paper and the number found here, in the same unit.
        tolerance_percent : float
            How far they may differ, in percent of the paper's.
        unit : str
            The unit of both.

        Examples
        --------
        >>> isthmus.papers.Claims("Kielmann 2000").number("time", 1.0, 1.01, 5, "s")
        """
        if paper == 0:
            raise BadInput("paper: 0; another number would be right, of which the tolerance is a part")
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
        """Adds a statement of the paper without a number.

        Parameters
        ----------
        claim : str
            What the statement is about.
        paper, here : str
            What the paper says, and what came out here.
        criterion : str
            The condition that has to hold, as text.
        holds : bool
            Whether it holds.

        Examples
        --------
        >>> isthmus.papers.Claims("Kielmann 2000").statement("who is quicker", "MagPIe", "MagPIe", "it is less", True)
        """
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
        """Lists the claims.

        Returns
        -------
        pandas.DataFrame
            One row a claim: claim, paper, here, difference, tolerance, came out (yes or no).

        Examples
        --------
        >>> claims = isthmus.papers.Claims("Kielmann 2000")
        >>> claims.number("time", 1.0, 1.2, 5, "s")
        >>> claims.frame()[["difference", "came out"]].values.tolist()
        [['+20.00 %', 'no']]
        """
        frame = need("pandas", "a table").DataFrame(self._rows, columns=COLUMNS)
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
    """Names the commit of the repository that holds the working folder.

    Returns
    -------
    str
        As `git describe` gives it; "unknown" outside of a repository.

    Examples
    --------
    >>> commit = isthmus.papers.commit()
    """
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


def keep(frame: pandas.DataFrame, file: PathLike, columns: Sequence[str]) -> None:
    """Writes a table beside the notebook, its first line naming the commit that made it.

    Parameters
    ----------
    frame : pandas.DataFrame
        The table.
    file : str or os.PathLike
        The CSV file.
    columns : list of str
        The columns that are kept.

    Examples
    --------
    >>> frame = das.bound("broadcast", "1,64Ki")
    >>> isthmus.papers.keep(frame, "results/bound.csv", ["bytes", "bound_seconds"])
    """
    file = path_of("file", file)
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    text = frame[list(columns)].to_csv(index=False, float_format="%.9g")
    _core.write_whole_file(file, f"# made by commit {commit()}\n{text}")


def kept(file: PathLike) -> pandas.DataFrame | None:
    """Reads what keep() wrote.

    Parameters
    ----------
    file : str or os.PathLike
        The CSV file.

    Returns
    -------
    pandas.DataFrame or None
        The table; None when there is no such file.

    Examples
    --------
    >>> isthmus.papers.kept("results/none.csv") is None
    True
    """
    pandas = need("pandas", "a table")
    return pandas.read_csv(file, comment="#") if Path(file).is_file() else None


def same_as_kept(
    frame: pandas.DataFrame, file: PathLike, keys: Sequence[str], value: str = "seconds", relative: float = 1e-6
) -> int:
    """Compares a table with the stored one.

    Parameters
    ----------
    frame : pandas.DataFrame
        The new table.
    file : str or os.PathLike
        The CSV file that keep() wrote.
    keys : list of str
        The columns that name a row.
    value : str
        The column that is compared.
    relative : float
        How far two values may be apart, as a part of the kept one.

    Returns
    -------
    int
        How many rows both tables have.

    Raises
    ------
    BadInput
        When there is no such file, or a value differs; the first of these is named.

    Examples
    --------
    >>> frame = das.bound("broadcast", "1,64Ki")
    >>> isthmus.papers.keep(frame, "results/bound.csv", ["bytes", "bound_seconds"])
    >>> isthmus.papers.same_as_kept(frame, "results/bound.csv", ["bytes"], "bound_seconds")
    2
    """
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
