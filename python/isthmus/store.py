"""The store: records in an SQLite file, each point once. `isthmus --store` uses the same files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core
from ._core import BadInput
from .arguments import PathLike, list_of, path_of
from .frames import records

if TYPE_CHECKING:
    import pandas


class Store:
    """Records in an SQLite file, each point once; the same file that `isthmus --store` writes.

    Several processes may use one file at once.

    Parameters
    ----------
    file : str or os.PathLike
        The file; it is made when it is not there.

    Attributes
    ----------
    file : str
        Its absolute path.

    Raises
    ------
    BadInput
        When the file is no store or was written by a newer isthmus; it is left as it is.

    Examples
    --------
    >>> store = isthmus.Store("results.sqlite")
    >>> frame = isthmus.sweep(das, "broadcast", "magpie", bytes="1,64Ki", store=store, progress=False)
    >>> len(store)
    2
    """

    def __init__(self, file: PathLike) -> None:
        self.file = os.path.abspath(path_of("file", file))
        self._core = _core.Store(self.file)

    def put(self, texts: Sequence[str]) -> None:
        """Adds records, all or none; when it has returned, they survive any end of the process.

        Parameters
        ----------
        texts : list of str
            Records as JSON.

        Raises
        ------
        BadInput
            When a text is no record.
        Missing
            When the disk is full.

        Examples
        --------
        >>> isthmus.Store("one.sqlite").put([])
        """
        self._core.put(list_of("texts", texts, (str,), "a list of texts", empty=True))

    def by_question(self) -> dict[str, str]:
        """Gives the records by question.

        Returns
        -------
        dict of str to str
            A record as JSON for each question; of several the last that was stored.

        Examples
        --------
        >>> isthmus.Store("empty.sqlite").by_question()
        {}
        """
        return dict(self._core.by_question())

    def texts(self) -> list[str]:
        """Gives the records as they are stored.

        Returns
        -------
        list of str
            Records as JSON, oldest first.

        Examples
        --------
        >>> isthmus.Store("empty.sqlite").texts()
        []
        """
        return list(self._core.all())

    def frame(self) -> pandas.DataFrame:
        """Gives the records as a table.

        Returns
        -------
        pandas.DataFrame
            One row a record, oldest first.

        Examples
        --------
        >>> isthmus.Store("empty.sqlite").frame().shape[0]
        0
        """
        return records(self.texts())

    def merge(self, other: Store | PathLike) -> int:
        """Takes the records of another store.

        Parameters
        ----------
        other : Store, str or os.PathLike
            The other store, or its file.

        Returns
        -------
        int
            How many records it holds.

        Raises
        ------
        BadInput
            When there is no such file, or it is no store.

        Examples
        --------
        >>> isthmus.Store("both.sqlite").merge(isthmus.Store("empty.sqlite"))
        0
        """
        if not isinstance(other, Store):
            if not os.path.exists(path_of("other", other)):
                raise BadInput(f"other: {os.fspath(other)}: no such file")
            other = Store(other)
        texts = other.texts()
        self.put(texts)
        return len(texts)

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return type(self), (self.file,)

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<isthmus.Store {self.file}: {len(self)} records>"
