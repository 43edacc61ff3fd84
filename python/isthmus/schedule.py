"""One schedule: inspected, proved, timed by the replay, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._core import Refused
from .arguments import whole
from .frames import table
from .html import Svg, facts, picture

if TYPE_CHECKING:
    import pandas


class Schedule:
    """The programs of all ranks for one plan on a platform; made by Platform.schedule()."""

    def __init__(self, core: _core.Schedule) -> None:
        self._core = core

    @property
    def plan(self) -> str:
        """The plan with every parameter chosen."""
        return self._core.plan

    @property
    def ranks(self) -> int:
        return self._core.size

    @property
    def bytes(self) -> int:
        """What the MPI call passes for one buffer or block."""
        return self._core.bytes

    @property
    def root(self) -> int:
        return self._core.root

    def operations(self, rank: int | None = None) -> pandas.DataFrame:
        """One row an operation, of one rank or of all: rank, operation, kind, lane, peer, to, source, right, bytes."""
        if rank is not None:
            rank = whole("rank", rank, 0, self.ranks - 1)
        return table(self._core.operations(rank))

    def census(self, by: str = "rank") -> pandas.DataFrame:
        """Messages and bytes, by `rank` or by `pair` of sender and receiver."""
        if by not in ("rank", "pair"):
            raise _core.BadInput(f"by: {by!r}; rank or pair would be right")
        return table(self._core.census()[by + "s"])

    def totals(self) -> dict[str, int]:
        """Messages and bytes sent by all, those between sites, and the longest chain of messages."""
        census = self._core.census()
        wide_messages, wide_bytes = self._core.wide_area()
        return {
            "messages": census["messages"],
            "message_bytes": census["bytes"],
            "wide_area_messages": wide_messages,
            "wide_area_bytes": wide_bytes,
            "longest_chain": self._core.longest_chain(),
        }

    def verify(self) -> None:
        """Proves the schedule; raises Refused with the first fault: rank, operation, peer and slice."""
        fault = self._core.fault()
        if fault:
            raise Refused(f"{self.plan}: {fault}")

    def replay(self) -> float:
        """Seconds from the common start to the last rank's end, by the replay under the platform's P-LogP costs."""
        return self._core.replay_seconds()

    def rank_ends(self) -> pandas.DataFrame:
        """When each rank is done: rank, end_s."""
        ends = self._core.rank_end_s()
        return table({"rank": list(range(len(ends))), "end_s": ends})

    def bound(self) -> float:
        """The seconds that no schedule can beat; 0 where no bound is known."""
        return self._core.bound_seconds()

    def timeline(self) -> pandas.DataFrame:
        """When each operation was issued and completed: rank, operation, kind, peer, bytes, begin_s, end_s."""
        return table(self._core.timeline())

    def messages(self) -> pandas.DataFrame:
        """Each message from its sending to its reception: source, destination, number, bytes, begin_s, end_s,
        between_sites."""
        return table(self._core.messages())

    def export(self, as_: str = "json") -> str:
        """As text: `json`, `goal`, `tree` and `graph` (Graphviz), `timeline` (Chrome trace, opens in Perfetto)."""
        return self._core.export(as_)

    def tree_svg(self, most_ranks: int = 256) -> Svg:
        """Who sends to whom."""
        return Svg(self._core.tree_svg(most_ranks))

    def timeline_svg(self, most_ranks: int = 96) -> Svg:
        """When each message was on its way."""
        return Svg(self._core.timeline_svg(most_ranks))

    def svg(self, most_ranks: int = 64, most_operations: int = 40) -> Svg:
        """The programs side by side."""
        return Svg(self._core.svg(most_ranks, most_operations))

    def _repr_html_(self) -> str:
        totals = self.totals()
        rows: list[tuple[str, Any]] = [
            ("plan", self.plan),
            ("ranks", self.ranks),
            ("bytes", _core.format_bytes(self.bytes)),
            ("replayed", _core.format_seconds(self.replay())),
            ("messages", f"{totals['messages']}, {_core.format_bytes(totals['message_bytes'])}"),
            ("between sites", f"{totals['wide_area_messages']}, {_core.format_bytes(totals['wide_area_bytes'])}"),
            ("messages in a row", totals["longest_chain"]),
        ]
        pictures = picture(self.tree_svg(), 620) + picture(self.timeline_svg())
        return facts(rows) + (pictures if self.ranks <= 256 else "")

    def __repr__(self) -> str:
        return f"<isthmus.Schedule {self.plan}, {_core.format_bytes(self.bytes)}, {self.ranks} ranks>"
