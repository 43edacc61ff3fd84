"""Records and columns as pandas DataFrames."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .needs import need

if TYPE_CHECKING:
    import pandas

# What stands in every record, in this order; seconds and bytes are in the names.
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
# Long objects that a table has no room for; the store has them.
LEFT_OUT = {"achieved", "provenance", "settings"}


def table(columns: dict[str, list[Any]]) -> pandas.DataFrame:
    pandas = need("pandas", "a table")
    frame = pandas.DataFrame(columns)
    if "peer" in frame:
        frame["peer"] = frame["peer"].astype("Int64")
    return frame


def records(texts: Iterable[str]) -> pandas.DataFrame:
    """Records as JSON texts, one a row: COLUMNS, then whatever else they have."""
    pandas = need("pandas", "a table")
    rows = [json.loads(text) for text in texts]
    frame = pandas.DataFrame.from_records([{k: v for k, v in row.items() if k not in LEFT_OUT} for row in rows])
    for column in COLUMNS:
        if column not in frame:
            frame[column] = None if rows else pandas.Series(dtype=object)
    whole = ("bytes", "ranks", "root", "repetitions")
    for column in (*whole, "segment_bytes", *(name for name in ("messages", "message_bytes") if name in frame)):
        frame[column] = frame[column].astype("int64" if column in whole else "Int64")
    for column in ("seconds", "bound_seconds"):
        frame[column] = frame[column].astype("float64")
    frame["over_bound"] = frame["seconds"] / frame["bound_seconds"]
    return frame[COLUMNS + [column for column in frame.columns if column not in COLUMNS]]
