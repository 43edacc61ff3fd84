"""Reads the tables that benchmarks print: a header that names the columns, a row a message size."""

import re
from collections.abc import Iterable

from .cases import Case, Outcome, failure
from .processes import Ended

# The column that counts: until the last rank is done, where it is told; else the average; else communication alone.
COUNTS = ("t_max", "max latency", "t_avg", "avg latency", "latency", "t_pure", "pure comm")
NUMBER = re.compile(r"^[\d.]+(e[+-]?\d+)?$")


def header_of(line: str) -> list[str] | None:
    """The columns' names, where a line is a header: IMB's have no blank in them, OSU's two or more between them."""
    if "[usec]" in line:
        names = line.strip(" #").split()
    elif "(us)" in line:
        names = re.split(r"\s{2,}", line.strip(" #"))
    else:
        return None
    return [re.sub(r"[(\[].*", "", name).strip().lower() for name in names]


def rows_of(output: str) -> dict[int, float]:
    """Seconds by bytes; barriers have 0 bytes."""
    columns: list[str] | None = None
    rows: dict[int, float] = {}
    for line in output.splitlines():
        if header := header_of(line):
            columns = header
            continue
        values = line.split()
        if columns and len(values) == len(columns) and all(NUMBER.match(value) for value in values):
            row = dict(zip(columns, values))
            size = next((int(value) for name, value in row.items() if "size" in name or "bytes" in name), 0)
            column = next((name for name in COUNTS if name in row), None)
            if column is not None:
                rows[size] = float(row[column]) / 1e6
    return rows


def outcomes_of(case: Case, ended: Ended, sizes: Iterable[int]) -> dict[str, Outcome]:
    """A test each message size that was asked for and came; a program that failed is a test by itself."""
    rows = {size: seconds for size, seconds in rows_of(ended.output).items() if size in sizes or size == 0}
    # Sizes of 0 are barriers; the benchmarks that have sizes print them for 0 as well, which says nothing.
    if len(rows) > 1:
        rows.pop(0, None)
    if ended.status != 0 or not rows:
        return {case.name: failure(ended)}
    return {f"{case.name} {size} B" if size else case.name: Outcome("pass", seconds) for size, seconds in rows.items()}
