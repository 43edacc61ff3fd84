"""Platform: a network with its ranks in place, and the questions that can be asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from . import _core
from ._core import BadInput, PLogP
from .arguments import Sizes, What, list_of, one_of, one_size, plans_of, seconds, sizes_of, whole, wrong_type
from .comparisons import over_bound
from .frames import records, table
from .notes import warn_about
from .placed_network import PlacedNetwork
from .schedule import Schedule

if TYPE_CHECKING:
    import pandas


class Layers(NamedTuple):
    """The two layers of Kielmann 2000, section 2.1.

    Attributes
    ----------
    wan : PLogP
        The costs of a message between two clusters.
    lan : PLogP
        The costs of a message inside a cluster.
    clusters : int
        How many clusters there are.
    cluster_size : int
        How many ranks the largest cluster has.
    """

    wan: PLogP
    lan: PLogP
    clusters: int
    cluster_size: int


class Platform(PlacedNetwork):
    """A network and where its ranks are.

    Parameters
    ----------
    source : str, os.PathLike or Network
        A SimGrid XML file, a network as JSON, or a Network.
    placement : str or list of str
        "block", "cyclic", or a host name for each rank.
    ranks_per_host : int
        How many ranks a host takes.
    ranks : int, optional
        How many ranks there are; as many as fit when left out.

    Attributes
    ----------
    network : Network
        Its hosts, links and routes.

    Raises
    ------
    BadInput
        When the file cannot be read, with file and line; when a host does not exist.
    TypeError
        When an argument is of another type.

    Examples
    --------
    Where `das` stands in other examples, it is this platform.

    >>> das = isthmus.Platform("platforms/kielmann2000/das-4x4.xml")
    >>> das
    <isthmus.Platform das-4x4: 16 hosts, 16 ranks>
    """

    def plogp(self, from_rank: int, to_rank: int) -> PLogP:
        """Gives P-LogP of the route between two ranks.

        Parameters
        ----------
        from_rank, to_rank : int
            The ranks that send and receive.

        Returns
        -------
        PLogP
            The costs of a message on this route.

        Examples
        --------
        >>> das.plogp(0, 4).gap_s(1000)
        0.0011
        """
        last = self.ranks - 1
        return _core.plogp(self._core, whole("from_rank", from_rank, 0, last), whole("to_rank", to_rank, 0, last))

    def layers(self) -> Layers:
        """Gives the two layers of the platform: between clusters and inside one.

        Returns
        -------
        Layers
            The costs of the slowest route of each layer, and the shape of the platform.

        Examples
        --------
        >>> layers = das.layers()
        >>> layers.clusters, layers.wan.latency_s
        (4, 0.01002)
        """
        return Layers(*_core.two_layers(self._core))

    # ---- schedules and models, in this process

    def schedule(
        self, what: str | _core.Algorithm, bytes: int | str, *, element_bytes: int = 1, root: int = 0
    ) -> Schedule:
        """Writes the schedule of one plan.

        Parameters
        ----------
        what : str or Algorithm
            "broadcast" (the plan of the automatic choice), "broadcast/kielmann" (its parameters chosen by model), or
            "broadcast/kielmann:segment=64Ki".
        bytes : int or str
            One size in bytes, as 4096 or "64Ki": what the MPI call passes for one buffer or block.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.
        root : int
            The rank of the root, for collectives that have one.

        Returns
        -------
        Schedule
            The programs of all ranks.

        Raises
        ------
        BadInput
            When there is no such plan, or it does not serve this call.

        Examples
        --------
        >>> das.schedule("broadcast/binomial:segment=16Ki", "64Ki")
        <isthmus.Schedule broadcast/binomial:segment=16Ki, 64 KiB, 16 ranks>
        """
        if not isinstance(what, (str, _core.Algorithm)):
            raise wrong_type("what", what, "a plan ('broadcast/kielmann:segment=64Ki') or an Algorithm")
        return Schedule(
            _core.Schedule(
                self._core,
                _core.checked_plan(str(what)),
                one_size(bytes),
                whole("element_bytes", element_bytes, 1, 2**40),
                whole("root", root, 0, self.ranks - 1),
            )
        )

    def bound(self, collective: str, bytes: Sizes, *, root: int = 0) -> pandas.DataFrame:
        """Gives the time that no schedule can beat.

        Parameters
        ----------
        collective : str
            Its name, as "broadcast".
        bytes : int, str or list of these
            Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list. What the MPI call passes for one
            buffer or block.
        root : int
            The rank of the root, for collectives that have one.

        Returns
        -------
        pandas.DataFrame
            One row a size: bytes, bound_seconds.

        Raises
        ------
        BadInput
            When no bound is known for the collective.

        Examples
        --------
        >>> das.bound("broadcast", "1,64Ki")
           bytes  bound_seconds
        0      1       0.010080
        1  65536       0.038545
        """
        collective = _collective(collective)
        root = whole("root", root, 0, self.ranks - 1)
        sizes = sizes_of(bytes)
        return table(
            {
                "bytes": sizes,
                "bound_seconds": [_core.lower_bound_s(self._core, collective, size, 1, root) for size in sizes],
            }
        )

    def explain(
        self,
        collective: str,
        bytes: Sizes,
        *,
        root: int = 0,
        element_bytes: int = 1,
        thorough: bool = False,
        parts: bool = False,
    ) -> pandas.DataFrame:
        """Lists every plan that the automatic choice tries.

        Parameters
        ----------
        collective : str
            Its name, as "broadcast".
        bytes : int, str or list of these
            Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list. What the MPI call passes for one
            buffer or block.
        root : int
            The rank of the root, for collectives that have one.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.
        thorough : bool
            Whether each algorithm is searched as far as if it were named alone; else parameters that cannot make an
            algorithm as quick as the choice are left out.
        parts : bool
            Whether each plan's time is split by cause, along the path of messages that takes longest.

        Returns
        -------
        pandas.DataFrame
            One row a plan: bytes, plan, seconds (by the replay), bound_seconds, over_bound (their ratio). The first of
            a size is its choice, then the quickest come first. With `parts` also latency_seconds, wide_area_seconds,
            local_seconds, overhead_seconds (of processors) and contention_seconds (waiting), whose sum is seconds, and
            path_messages.

        Raises
        ------
        BadInput
            When the collective is unknown, or a size is out of range.

        Examples
        --------
        >>> frame = das.explain("allgather", "1Ki")
        >>> bool(frame.seconds.iloc[0] == frame.seconds.min())
        True
        >>> split = das.explain("allgather", "1Ki", parts=True).iloc[0]
        >>> bool(split.latency_seconds > split.wide_area_seconds)
        True
        """
        collective = _collective(collective)
        root, element_bytes = whole("root", root, 0, self.ranks - 1), whole("element_bytes", element_bytes, 1, 2**40)
        rows = []
        for size in [0] if collective == "barrier" else sizes_of(bytes):
            plans = _core.candidates(self._core, collective, size, element_bytes, root, bool(thorough))
            try:
                bound = _core.lower_bound_s(self._core, collective, size, element_bytes, root) or float("nan")
            except BadInput:  # none is known for this collective
                bound = float("nan")
            rows += [(size, plan, seconds, bound) for plan, seconds in plans]
        frame = table(
            {name: [row[i] for row in rows] for i, name in enumerate(("bytes", "plan", "seconds", "bound_seconds"))}
        )
        frame["over_bound"] = over_bound(frame)
        if parts:
            names = [f"{part}_seconds" for part in ("latency", "wide_area", "local", "overhead", "contention")]
            splits = [_core.cost_split(self._core, row[1], row[0], element_bytes, root) for row in rows]
            for i, name in enumerate([*names, "path_messages"]):
                frame[name] = [split[i] for split in splits]
        return frame

    def choose(self, collective: str, bytes: int | str, *, root: int = 0, element_bytes: int = 1) -> Schedule:
        """Writes the schedule of the plan that the automatic choice takes.

        Parameters
        ----------
        collective : str
            Its name, as "broadcast".
        bytes : int or str
            One size in bytes, as 4096 or "64Ki": what the MPI call passes for one buffer or block.
        root : int
            The rank of the root, for collectives that have one.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.

        Returns
        -------
        Schedule
            The programs of all ranks.

        Examples
        --------
        >>> das.choose("broadcast", "1Mi").replay() < das.schedule("broadcast/magpie", "1Mi").replay()
        True
        """
        return self.schedule(f"{_collective(collective)}/auto", bytes, root=root, element_bytes=element_bytes)

    def predict(
        self,
        what: What,
        bytes: Sizes,
        *,
        models: str | Sequence[str] | None = None,
        root: int = 0,
        element_bytes: int = 1,
    ) -> pandas.DataFrame:
        """Predicts the time of plans by models, in this process.

        Parameters
        ----------
        what : str, Algorithm or list of these
            "broadcast" (the automatic choice), "broadcast/all" (every algorithm), "broadcast/kielmann" (its parameters
            chosen for each size), "broadcast/kielmann:segment=64Ki" (this plan), or Algorithms.
        bytes : int, str or list of these
            Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list. What the MPI call passes for one
            buffer or block.
        models : str or list of str, optional
            Of isthmus.sources.MODELS: hockney, logp, loggp, plogp, replay; all of them when left out.
        root : int
            The rank of the root, for collectives that have one.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.

        Returns
        -------
        pandas.DataFrame
            One row a record, with seconds, bound_seconds and over_bound (their ratio). `frame.attrs["left_out"]` lists
            the points that a model has no formula for.

        Raises
        ------
        BadInput
            When an argument is wrong, or no model has an answer.

        Examples
        --------
        >>> das.predict("broadcast/magpie", "1,1Ki", models="replay")[["plan", "bytes", "seconds"]]
             plan  bytes   seconds
        0  magpie      1  0.010169
        1  magpie   1024  0.011274
        """
        from .sources import MODELS, SweepPoint

        names = list(MODELS) if models is None else list_of("models", models, (str,), ", ".join(MODELS))
        points = self._points(what, bytes, element_bytes, root)
        settings = _core.Settings(1, 1, "fifo", "auto")
        texts: list[str] = []
        left_out = []
        for model in names:
            one_of("models", model, MODELS)
            questions = _core.questions(self._core, model, points, settings)
            answers = iter(
                _core.run_models(self._core, model, [point for point, question in zip(points, questions) if question])
            )
            for (plan, size, _, _), question in zip(points, questions):
                text = next(answers) if question else None
                if text is None:
                    left_out.append(SweepPoint(self.name, plan.partition("/")[0], plan, size, model, root, self.ranks))
                else:
                    texts.append(text)
        if not texts:
            raise BadInput(f"models: {', '.join(names)} has no answer for {what}; `replay` times any schedule")
        frame = records(texts)
        frame.attrs["left_out"] = left_out
        return frame

    def _points(self, what: What, bytes: Sizes, element_bytes: int, root: int) -> list[tuple[str, int, int, int]]:
        element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
        root = whole("root", root, 0, self.ranks - 1)
        plans = plans_of(what)
        sizes = sizes_of(bytes)
        points = [
            (plan, size, element_bytes, root)
            for plan in plans
            for size in (sizes if not plan.startswith("barrier/") else [0])
        ]
        served = _core.questions(self._core, "replay", points, _core.Settings(1, 1, "fifo", "auto"))
        kept = [point for point, question in zip(points, served) if question or not plans[point[0]]]
        if not kept:
            raise BadInput(f"what: no algorithm of {what} serves this")
        return kept

    # ---- simulation and emulation, by the program isthmus

    def simulate(
        self,
        what: What,
        bytes: Sizes,
        *,
        root: int = 0,
        element_bytes: int = 1,
        repetitions: int = 1,
        queueing: str = "fifo",
        timeout_s: float = 600,
    ) -> pandas.DataFrame:
        """Times plans under SimGrid's SMPI.

        Parameters
        ----------
        what : str, Algorithm or list of these
            "broadcast" (the automatic choice), "broadcast/all" (every algorithm), "broadcast/kielmann" (its parameters
            chosen for each size), "broadcast/kielmann:segment=64Ki" (this plan), or Algorithms.
        bytes : int, str or list of these
            Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list. What the MPI call passes for one
            buffer or block.
        root : int
            The rank of the root, for collectives that have one.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.
        repetitions : int
            How often each is run.
        queueing : str
            How links share their bandwidth: "fifo" or "fluid".
        timeout_s : float
            Seconds that a run may take.

        Returns
        -------
        pandas.DataFrame
            One row a record, with simulated seconds; per size the maximum over the ranks, of repetitions the median.

        Raises
        ------
        Refused
            When a run fails or takes longer.
        BadInput
            When an argument is wrong.

        Examples
        --------
        >>> das.simulate("broadcast/magpie", "1Ki")[["source", "bytes", "seconds"]]
          source  bytes   seconds
        0   smpi   1024  0.011274
        """
        from .sources import run_program

        texts = run_program(
            self,
            "smpi",
            self._points(what, bytes, element_bytes, root),
            {
                "repetitions": whole("repetitions", repetitions, 1),
                "queueing": queueing,
                "timeout_s": seconds("timeout_s", timeout_s),
            },
        )
        warn_about(texts)
        return records(texts)

    def emulate(
        self,
        what: What,
        bytes: Sizes,
        *,
        root: int = 0,
        element_bytes: int = 1,
        repetitions: int = 1,
        warm_up: int = 1,
        substrate: str = "auto",
        timeout_s: float = 600,
    ) -> pandas.DataFrame:
        """Times plans with a real MPI on the emulated network.

        Parameters
        ----------
        what : str, Algorithm or list of these
            "broadcast" (the automatic choice), "broadcast/all" (every algorithm), "broadcast/kielmann" (its parameters
            chosen for each size), "broadcast/kielmann:segment=64Ki" (this plan), or Algorithms.
        bytes : int, str or list of these
            Sizes in bytes: 4096, "64Ki", "1,64Ki,4Mi", "1..4Mi" (doubling), or a list. What the MPI call passes for one
            buffer or block.
        root : int
            The rank of the root, for collectives that have one.
        element_bytes : int
            The size of an element in bytes; every size is a multiple of it.
        repetitions : int
            How often each is run.
        warm_up : int
            How many runs come before, which do not count.
        substrate : str
            Where the network is emulated; "auto" takes the best there is.
        timeout_s : float
            Seconds that a run may take.

        Returns
        -------
        pandas.DataFrame
            One row a record, with measured seconds; per size the maximum over the ranks, of repetitions the median.

        Raises
        ------
        Missing
            When this machine lacks what the substrate needs.
        Refused
            When a run fails or takes longer.
        BadInput
            When an argument is wrong.

        Examples
        --------
        >>> das.emulate("broadcast/magpie", "64Ki", repetitions=5)  # doctest: +SKIP
        """
        from .sources import run_program

        texts = run_program(
            self,
            "emulated",
            self._points(what, bytes, element_bytes, root),
            {
                "repetitions": whole("repetitions", repetitions, 1),
                "warm_up": whole("warm_up", warm_up, 0),
                "substrate": substrate,
                "timeout_s": seconds("timeout_s", timeout_s),
            },
        )
        warn_about(texts)
        return records(texts)


def _collective(name: object) -> str:
    if not isinstance(name, str):
        raise wrong_type("collective", name, "the name of a collective, as 'broadcast'")
    return name
