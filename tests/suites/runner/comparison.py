"""Plain against the drop-in: a row for each test and set of forced plans, and the summary."""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field

from .cases import Case, Outcome

RIGHT = ("pass", "skip")
SERVED = re.compile(r"^isthmus: (\w+) +(\d+) +\d+ +[\d.]+ +[\d.-]+  (?!MPI: )\S", re.M)


@dataclass(frozen=True)
class Row:
    suite: str
    test: str
    ranks: int
    round: int
    plain: Outcome
    drop_in: Outcome

    @property
    def differs(self) -> bool:
        return self.plain.status in RIGHT and self.drop_in.status != self.plain.status

    @property
    def ratio(self) -> float | None:
        """How many times faster the drop-in is."""
        return self.plain.seconds / self.drop_in.seconds if self.plain.seconds and self.drop_in.seconds else None


@dataclass
class Comparison:
    """The rows, the plans that each round forced, the reports of the drop-in."""

    suite: str
    rounds: list[dict[str, str]]
    rows: list[Row] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    def add(self, case: Case, number: int, plain: dict[str, Outcome], drop_in: dict[str, Outcome]) -> list[Row]:
        """A test that only one side has, because the other ended before it, is absent on the other."""
        rows = [
            Row(
                self.suite,
                test,
                case.ranks,
                number,
                plain.get(test, Outcome("absent")),
                drop_in.get(test, Outcome("absent")),
            )
            for test in dict.fromkeys([*plain, *drop_in])
        ]
        self.rows += rows
        return rows

    @property
    def differences(self) -> list[Row]:
        return [row for row in self.rows if row.differs]

    def served(self) -> Counter[str]:
        """Calls that isthmus served, by collective; as rank 0 of each communicator counted them."""
        calls: Counter[str] = Counter()
        for report in self.reports:
            for collective, count in SERVED.findall(report):
                calls[collective] += int(count)
        return calls

    def summary(self) -> list[str]:
        alike = sum(row.plain.status in RIGHT and not row.differs for row in self.rows)
        plain_too = sum(row.plain.status not in RIGHT for row in self.rows)
        lines = [
            f"{len(self.rows)} tests: {alike} pass both ways, {plain_too} do not pass plain, "
            f"{len(self.differences)} differ",
            f"calls served: {', '.join(f'{name} {count}' for name, count in sorted(self.served().items())) or 'none'}",
        ]
        ratios = {row: row.ratio for row in self.rows if row.ratio}
        if ratios:
            mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
            slowest = min(ratios, key=lambda row: ratios[row])
            slower = sum(ratio < 1 for ratio in ratios.values())
            lines.append(
                f"{len(ratios)} times compared: {mean:.2f} times faster (geometric mean), {slower} slower, "
                f"the slowest {slowest.test} by {ratios[slowest]:.3f}"
            )
        return lines


def plans_of(settings: dict[str, str]) -> str:
    return " ".join(f"{name.removeprefix('ISTHMUS_').lower()}={plan}" for name, plan in settings.items()) or "chosen"


def as_json(row: Row, plans: dict[str, str]) -> str:
    record: dict[str, object] = {"suite": row.suite, "test": row.test, "ranks": row.ranks}
    record |= {"plans": plans_of(plans), "differs": row.differs, "ratio": row.ratio}
    for side, outcome in (("plain", row.plain), ("drop_in", row.drop_in)):
        record |= {side: outcome.status, f"{side}_seconds": outcome.seconds, f"{side}_detail": outcome.detail}
    return json.dumps(record)


def milliseconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{1e3 * seconds:.4g}"


def table(lines: list[list[str]], texts: int) -> list[str]:
    """Columns under their heads; the first `texts` of them to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    return [
        "  ".join(f"{cell:{'<' if at < texts else '>'}{widths[at]}}" for at, cell in enumerate(line)).rstrip()
        for line in lines
    ]


def as_text(comparison: Comparison, is_benchmark: bool) -> str:
    """Differences, with the output; times of benchmarks; the summary."""
    several = len(comparison.rounds) > 1
    said: list[str] = []
    if is_benchmark:
        lines = [["test", "ranks", "round", "plain ms", "drop-in ms", "times faster"]]
        for row in comparison.rows:
            ratio = "" if row.ratio is None else f"{row.ratio:.3f}"
            times = [milliseconds(outcome.seconds) or outcome.status for outcome in (row.plain, row.drop_in)]
            lines.append([row.test, str(row.ranks), str(row.round), *times, ratio])
        said += table(lines, 1) + [""]
    if differences := comparison.differences:
        lines = [["test", "round", "plain", "drop-in"]]
        lines += [[row.test, str(row.round), row.plain.status, row.drop_in.status] for row in differences]
        said += table(lines, 1) + [""]
        for row in differences:
            said += [f"{row.test}, round {row.round}:", *("  " + line for line in row.drop_in.detail.splitlines()), ""]
    if unusable := [row for row in comparison.rows if row.plain.status not in RIGHT and row.round == 0]:
        said += ["not passed plain:", *(f"  {row.test}: {row.plain.status}" for row in unusable), ""]
    rounds = sorted({row.round for row in (comparison.rows if is_benchmark else differences)})
    if several:
        said += [f"round {number}: {plans_of(comparison.rounds[number])}" for number in rounds]
    return "\n".join([*said, *comparison.summary()])
