"""Warnings: what somebody who reads a result should know, and which is no error. All of them are of one class."""

import warnings
from typing import Iterable, Sequence, Tuple

from . import _core


class IsthmusWarning(RuntimeWarning):
    """`kind` says what of: doubtful_network, starved, unsettled, failed_points."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind


def warn(notes: Iterable[Tuple[str, str]], stacklevel: int = 1) -> None:
    """Raises (kind, sentence) as warnings, which name the line `stacklevel` calls above the caller's."""
    for kind, text in notes:
        warnings.warn(IsthmusWarning(text, kind), stacklevel=stacklevel + 2)


def warn_about(texts: Sequence[str], stacklevel: int = 1) -> None:
    """Raises what there is to note about records, which are JSON texts."""
    warn(_core.notes_about(list(texts)), stacklevel + 1)
