"""The store: records in an SQLite file, each point once. The same file that the program `isthmus --store` writes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core
from .arguments import PathLike, path_of
from .frames import records

if TYPE_CHECKING:
    import pandas


class Store:
    """Opens the file, or makes it. Several processes may use one file at once. Raises BadInput when it is no store or
    was written by a newer isthmus; such a file is left as it is."""

    def __init__(self, file: PathLike) -> None:
        self.file = os.path.abspath(path_of("file", file))
        self._core = _core.Store(self.file)

    def put(self, texts: Sequence[str]) -> None:
        """Records as JSON texts, in one transaction: what this returned from stays."""
        self._core.put(list(texts))

    def by_question(self) -> dict[str, str]:
        """Records as JSON texts by what was asked."""
        return dict(self._core.by_question())

    def texts(self) -> list[str]:
        """Records as JSON texts, oldest first."""
        return list(self._core.all())

    def frame(self) -> pandas.DataFrame:
        """All records, oldest first."""
        return records(self.texts())

    def merge(self, other: PathLike) -> int:
        """Takes the records of another store; returns how many there were."""
        texts = Store(other).texts()
        self.put(texts)
        return len(texts)

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<isthmus.Store {self.file}: {len(self)} records>"
