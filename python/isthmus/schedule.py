"""One schedule: inspected, proved, timed by the replay, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._core import Refused
from .arguments import whole, with_old_names
from .descriptions import described
from .frames import table
from .html import Svg, facts, picture

if TYPE_CHECKING:
    import pandas


@described
class Schedule:
    """The programs of all ranks for one plan on a platform; made by Platform.schedule().

    Parameters
    ----------
    core : isthmus._core.Schedule
        The schedule in the module.

    Examples
    --------
    >>> schedule = das.schedule("broadcast/magpie", "1Ki")
    >>> schedule
    <isthmus.Schedule broadcast/magpie, 1 KiB, 16 ranks>
    >>> schedule.verify()
    """

    def __init__(self, core: _core.Schedule) -> None:
        self._core = core

    @property
    def plan(self) -> str:
        """The plan with every parameter chosen."""
        return self._core.plan

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self._core.size

    @property
    def bytes(self) -> int:
        """The bytes that the MPI call passes for one buffer or block."""
        return self._core.bytes

    @property
    def root(self) -> int:
        """The rank of the root."""
        return self._core.root

    def operations(self, rank: int | None = None) -> pandas.DataFrame:
        """Lists the operations, of one rank or of all.

        Parameters
        ----------
        rank : int, optional
            The only rank that is listed; all of them when left out.

        Returns
        -------
        pandas.DataFrame
            One row an operation: rank, operation (its number in the program), kind (send, receive, reduce or copy),
            lane, peer (a rank), to, source and right (slices of buffers, as text), bytes.

        Examples
        --------
        >>> das.schedule("broadcast/binomial:segment=none", "1Ki").operations(1)[["kind", "peer", "to", "bytes"]]
              kind  peer               to  bytes
        0  receive     0  output[0..1024)   1024
        """
        if rank is not None:
            rank = whole("rank", rank, 0, self.ranks - 1)
        return table(self._core.operations(rank))

    def census(self, by: str = "rank") -> pandas.DataFrame:
        """Counts messages and bytes.

        Parameters
        ----------
        by : str
            "rank", or "pair" of sender and receiver.

        Returns
        -------
        pandas.DataFrame
            One row a rank: rank, sent_messages, sent_bytes, received_messages, received_bytes, reduced_bytes,
            copied_bytes. Or one row a pair: source, destination, messages, bytes.

        {Raises BadInput: When `by` is something else.}

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").census("pair").head(2)
           source  destination  messages  bytes
        0       0            1         1   1024
        1       0            2         1   1024
        """
        if by not in ("rank", "pair"):
            raise _core.BadInput(f"by: {by!r}; rank or pair would be right")
        return table(self._core.census()[by + "s"])

    def totals(self) -> dict[str, int]:
        """Counts what all ranks send together.

        Returns
        -------
        dict of str to int
            The counts messages, message_bytes, wide_area_messages and wide_area_bytes (those between sites), and
            longest_chain (of messages that wait for each other).

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").totals()["wide_area_messages"]
        3
        """
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
        """Proves the schedule without running it.

        Every receive is matched, nothing deadlocks even when every send waits for its receive, no two accesses to one
        place are unordered, and every rank ends with what the collective promises.

        {Raises Refused: With the first fault: rank, operation, peer and slice.}

        Examples
        --------
        >>> das.schedule("allreduce/ring", "64Ki").verify()
        """
        fault = self._core.fault()
        if fault:
            raise Refused(f"{self.plan}: {fault}")

    def replay(self) -> float:
        """Times the schedule, message by message, under the platform's P-LogP costs.

        Returns
        -------
        float
            Seconds from the common start to the last rank's end.

        Examples
        --------
        >>> round(das.schedule("broadcast/magpie", "1Ki").replay(), 6)
        0.011274
        """
        return self._core.replay_seconds()

    def rank_ends(self) -> pandas.DataFrame:
        """Lists when each rank is done, by the replay.

        Returns
        -------
        pandas.DataFrame
            One row a rank: rank, end_s (seconds since the common start).

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").rank_ends().head(2)
           rank     end_s
        0     0  0.000000
        1     1  0.000132
        """
        ends = self._core.rank_end_s()
        return table({"rank": list(range(len(ends))), "end_s": ends})

    def bound(self) -> float:
        """Gives the time that no schedule can beat.

        Returns
        -------
        float
            Seconds; 0 where no bound is known.

        Examples
        --------
        >>> round(das.schedule("broadcast/magpie", "1Ki").bound(), 6)
        0.011044
        """
        return self._core.bound_seconds()

    def timeline(self) -> pandas.DataFrame:
        """Lists when each operation is issued and completed, by the replay.

        Returns
        -------
        pandas.DataFrame
            One row an operation: rank, operation (its number in the program), kind, peer, bytes, begin_s, end_s
            (seconds since the common start).

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").timeline().columns.tolist()
        ['rank', 'operation', 'kind', 'peer', 'bytes', 'begin_s', 'end_s']
        """
        return table(self._core.timeline())

    def messages(self) -> pandas.DataFrame:
        """Lists each message from its sending to its reception, by the replay.

        Returns
        -------
        pandas.DataFrame
            One row a message: source, destination, number (among those of the pair), bytes, begin_s, end_s (seconds
            since the common start), between_sites.

        Examples
        --------
        >>> int(das.schedule("broadcast/magpie", "1Ki").messages().between_sites.sum())
        3
        """
        return table(self._core.messages())

    def link_loads(self) -> pandas.DataFrame:
        """Lists how long the messages occupy each shared link, however they are timed.

        Returns
        -------
        pandas.DataFrame
            One row a link, busiest first: link, wide_area (whether routes between sites use it), bytes (without
            headers), busy_s (seconds, headers included), share (of the time by the replay).

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").link_loads().query("wide_area").head(2).round(6)
                   link  wide_area   bytes    busy_s     share
        0  wan-c0-c1_UP       True  1024.0  0.001124  0.099699
        1  wan-c0-c2_UP       True  1024.0  0.001124  0.099699
        """
        frame = table(self._core.link_loads())
        seconds = self.replay()
        frame["share"] = frame["busy_s"] / seconds if seconds > 0 else 0.0
        return frame

    def export(self, as_: str = "json") -> str:
        """Writes the schedule in a form that other programs read.

        Parameters
        ----------
        as_ : str
            "json", "goal", "tree" or "graph" (Graphviz), "timeline" (Chrome trace, which opens in Perfetto).

        {Returns: file_text}

        {Raises: wrong_form}

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").export("goal").splitlines()[0]
        'num_ranks 16'
        """
        return self._core.export(as_)

    @with_old_names(most_ranks="max_ranks")
    def tree_svg(self, max_ranks: int = 256) -> Svg:
        """Draws who sends to whom.

        {Parameters: max_ranks}

        {Returns: svg}

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").tree_svg().save("tree.svg")
        """
        return Svg(self._core.tree_svg(whole("max_ranks", max_ranks, 1)))

    @with_old_names(most_ranks="max_ranks")
    def timeline_svg(self, max_ranks: int = 96) -> Svg:
        """Draws when each message is on its way.

        {Parameters: max_ranks}

        {Returns: svg}

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").timeline_svg().save("timeline.svg")
        """
        return Svg(self._core.timeline_svg(whole("max_ranks", max_ranks, 1)))

    @with_old_names(most_ranks="max_ranks", most_operations="max_operations")
    def svg(self, max_ranks: int = 64, max_operations: int = 40) -> Svg:
        """Draws the programs side by side.

        Parameters
        ----------
        {max_ranks}
        max_operations : int
            How many operations of each are drawn at most.

        {Returns: svg}

        Examples
        --------
        >>> das.schedule("broadcast/magpie", "1Ki").svg(max_ranks=4).save("programs.svg")
        """
        ranks, operations = whole("max_ranks", max_ranks, 1), whole("max_operations", max_operations, 1)
        return Svg(self._core.svg(ranks, operations))

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Schedule):
            return NotImplemented
        return self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core)

    def __repr__(self) -> str:
        return f"<isthmus.Schedule {self.plan}, {_core.format_bytes(self.bytes)}, {self.ranks} ranks>"
