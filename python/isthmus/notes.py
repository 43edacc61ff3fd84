"""Warnings about results; all of them are of one class, IsthmusWarning."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core


class IsthmusWarning(RuntimeWarning):
    """A warning about a result or a platform.

    Parameters
    ----------
    text : str
        The warning in one sentence.
    kind : str
        What it is about: doubtful_network, starved, unsettled, left_out, failed_points or missing_points.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("ignore", isthmus.IsthmusWarning)  # none of them is shown
    """

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind

    def __reduce__(self) -> Any:
        return type(self), (*self.args, self.kind), self.__dict__


def warn(notes: Iterable[tuple[str, str]], stacklevel: int = 1) -> None:
    """Raises (kind, sentence) as warnings, which name the line `stacklevel` calls above the caller's."""
    for kind, text in notes:
        warnings.warn(IsthmusWarning(text, kind), stacklevel=stacklevel + 2)


def warn_about(texts: Sequence[str], stacklevel: int = 1) -> None:
    """Raises what there is to note about records, which are JSON texts."""
    warn(_core.notes_about(list(texts)), stacklevel + 1)
