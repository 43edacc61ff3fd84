"""Records and columns as pandas DataFrames."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from .comparisons import over_bound
from .needs import need

if TYPE_CHECKING:
    import pandas

# The first columns of a table, in this order; units are in the names.
COLUMNS = [
    "source",
    "platform",
    "collective",
    "algorithm",
    "plan",
    "bytes",
    "segment_bytes",
    "ranks",
    "root",
    "seconds",
    "bound_seconds",
    "over_bound",
    "repetitions",
    "statistic",
]
# The dtypes of a record's fields: whole numbers that may be unknown are nullable, other numbers are then NaN.
FIELDS = {name: (kind, may_be_unknown) for name, kind, may_be_unknown in _core.record_fields()}
DTYPES = {
    name: "float64" if kind == "number" else "Int64" if may_be_unknown else "int64"
    for name, (kind, may_be_unknown) in FIELDS.items()
    if kind in ("integer", "number")
}
# Long objects that tables leave out; the store has them.
LEFT_OUT = {"achieved", "provenance", *(name for name, (kind, _) in FIELDS.items() if kind == "object")}


def table(columns: dict[str, list[Any]]) -> pandas.DataFrame:
    pandas = need("pandas", "a table")
    frame = pandas.DataFrame(columns)
    if "peer" in frame:
        frame["peer"] = frame["peer"].astype("Int64")
    return frame


def records(texts: Iterable[str]) -> pandas.DataFrame:
    """A frame with one row for each record (JSON text): COLUMNS first, then all further fields."""
    pandas = need("pandas", "a table")
    rows = [json.loads(text) for text in texts]
    frame = pandas.DataFrame.from_records([{k: v for k, v in row.items() if k not in LEFT_OUT} for row in rows])
    for column in COLUMNS:
        if column not in frame:
            frame[column] = None if rows else pandas.Series(dtype=object)
    for column, dtype in {**DTYPES, "messages": "Int64", "message_bytes": "Int64"}.items():
        if column in frame:
            frame[column] = frame[column].astype(dtype)
    frame["over_bound"] = over_bound(frame)
    return frame[COLUMNS + [column for column in frame.columns if column not in COLUMNS]]
