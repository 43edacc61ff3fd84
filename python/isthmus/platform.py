"""A platform with its ranks in place: where every question begins."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._core import BadInput, Network, PLogP, Topology
from .arguments import (
    PathLike,
    Sizes,
    What,
    list_of,
    one_of,
    one_size,
    path_of,
    plans_of,
    seconds,
    sizes_of,
    whole,
    wrong_type,
)
from .frames import records, table
from .html import Svg, facts, picture
from .schedule import Schedule

if TYPE_CHECKING:
    import pandas

PlacementLike = str | Sequence[str]


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


class Platform:
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

    def __init__(
        self,
        source: PathLike | Network,
        *,
        placement: PlacementLike = "block",
        ranks_per_host: int = 1,
        ranks: int | None = None,
    ) -> None:
        self._xml: str | None = None
        self._file: str | None = None
        if isinstance(source, Network):
            self.network = source
        elif isinstance(source, (str, os.PathLike)):
            self._file = os.path.abspath(path_of("source", source))
            self.network = Network.read(os.fspath(source))
            if not self._file.endswith(".json"):
                self._xml = Path(self._file).read_text(encoding="utf-8")
        else:
            raise wrong_type("source", source, "the path of a platform file, or a Network")
        self._place(placement, ranks_per_host, ranks)

    def _place(self, placement: PlacementLike, ranks_per_host: int, ranks: int | None) -> None:
        self._ranks_per_host = whole("ranks_per_host", ranks_per_host, 1, 1 << 20)
        self._ranks = None if ranks is None else whole("ranks", ranks, 1)
        self._placement: str | list[str]
        if isinstance(placement, str):
            self._placement = one_of("placement", placement, ("block", "cyclic"))
            self._core = _core.Placed(self.network, self._placement, self._ranks_per_host, self._ranks or 0)
        else:
            self._placement = list_of("placement", placement, (str,), "block, cyclic, or a host name for each rank")
            self._core = _core.Placed(self.network, self._placement)

    @classmethod
    def from_xml(cls, text: str, name: str, **placement: Any) -> Platform:
        """Makes a platform from the text of a SimGrid XML file.

        Parameters
        ----------
        text : str
            The XML.
        name : str
            What the file would be called, without ending.
        **placement
            Where the ranks are, as for Platform.

        Returns
        -------
        Platform
            The platform, with its ranks in place.

        Raises
        ------
        BadInput
            When the text is no platform, with its line; when the name is no name of a file.

        Examples
        --------
        >>> with open("platforms/kielmann2000/das-4x4.xml") as file:
        ...     isthmus.Platform.from_xml(file.read(), "das", ranks=8)
        <isthmus.Platform das: 16 hosts, 8 ranks>
        """
        if not isinstance(text, str):
            raise wrong_type("text", text, "the text of a SimGrid XML file")
        if not name or "/" in name or name.startswith("."):
            raise BadInput(f"name: {name!r}; a file name without ending would be right")
        file = temporary_folder(text) / f"{name}.xml"
        file.write_text(text, encoding="utf-8")
        return cls(file, **placement)

    def placed(
        self, *, placement: PlacementLike = "block", ranks_per_host: int = 1, ranks: int | None = None
    ) -> Platform:
        """Places other ranks on the same network.

        Parameters
        ----------
        placement : str or list of str
            "block", "cyclic", or a host name for each rank.
        ranks_per_host : int
            How many ranks a host takes.
        ranks : int, optional
            How many ranks there are; as many as fit when left out.

        Returns
        -------
        Platform
            A new platform; this one stays as it is.

        Examples
        --------
        >>> das.placed(placement="cyclic", ranks_per_host=2)
        <isthmus.Platform das-4x4: 16 hosts, 32 ranks>
        """
        other = object.__new__(Platform)
        other.network, other._xml, other._file = self.network, self._xml, self._file
        other._place(placement, ranks_per_host, ranks)
        return other

    def with_links(
        self,
        which: str | Callable[[str], bool],
        *,
        name: str | None = None,
        bandwidth_Bps: float | None = None,
        latency_s: float | None = None,
        scale_bandwidth: float = 1,
        scale_latency: float = 1,
    ) -> Platform:
        """Changes some links, for the models and the emulation; the simulation reads XML.

        Parameters
        ----------
        which : str or callable
            A pattern of names, as `"wan-*"`, or a function that holds for the names of the links to change.
        name : str, optional
            The name of the new platform.
        bandwidth_Bps : float, optional
            The bandwidth in bytes a second that these links get; their own when left out.
        latency_s : float, optional
            The latency in seconds that these links get; their own when left out.
        scale_bandwidth, scale_latency : float
            Factors that bandwidth and latency are then multiplied with.

        Returns
        -------
        Platform
            A new platform; this one stays as it is.

        Raises
        ------
        BadInput
            When no link is changed, or a figure is out of range.

        Examples
        --------
        >>> das.with_links("wan-*", bandwidth_Bps=2e6, scale_latency=0.5)
        <isthmus.Platform das-4x4-changed: 16 hosts, 16 ranks>
        """
        if isinstance(which, str):
            pattern = which
            fits: Callable[[str], bool] = lambda link: fnmatchcase(link, pattern)
        elif callable(which):
            fits = which
        else:
            raise wrong_type("which", which, "a pattern such as 'wan-*', or a function of a link's name")
        for argument, value in (
            ("bandwidth_Bps", bandwidth_Bps),
            ("latency_s", latency_s),
            ("scale_bandwidth", scale_bandwidth),
            ("scale_latency", scale_latency),
        ):
            least_is_zero = "latency" in argument
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
                raise wrong_type(argument, value, "a number")
            if value is not None and not (value >= 0 if least_is_zero else value > 0):
                raise BadInput(
                    f"{argument}: {value}; a number {'of 0 or more' if least_is_zero else 'above 0'} would be right"
                )
        network = json.loads(self.network.to_json())
        changed = [link for link in network["links"] if fits(link["name"])]
        if not changed:
            names = ", ".join(link["name"] for link in network["links"][:6])
            shown = repr(which) if isinstance(which, str) else "it"
            raise BadInput(f"which: {shown} fits no link of {self.name}; there are {names} ...")
        for link in changed:
            link["bandwidth_Bps"] = (
                link["bandwidth_Bps"] if bandwidth_Bps is None else bandwidth_Bps
            ) * scale_bandwidth
            link["latency_s"] = (link["latency_s"] if latency_s is None else latency_s) * scale_latency
        network["name"] = name or f"{self.name}-changed"
        return Platform(Network.from_json(json.dumps(network)), **self.placed_as())

    def placed_as(self) -> dict[str, Any]:
        """Gives the keyword arguments that place ranks as they are here.

        Returns
        -------
        dict of str to object
            The arguments placement, ranks_per_host and ranks of Platform.

        Examples
        --------
        >>> das.placed_as()
        {'placement': 'block', 'ranks_per_host': 1, 'ranks': None}
        """
        return {"placement": self._placement, "ranks_per_host": self._ranks_per_host, "ranks": self._ranks}

    # ---- what it is

    @property
    def name(self) -> str:
        """The name of the platform file, without folder and ending."""
        return self.network.name

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self._core.size

    @property
    def topology(self) -> Topology:
        """The tree of groups over the ranks."""
        return self._core.topology

    def hosts(self) -> pandas.DataFrame:
        """Lists the hosts, gateways included.

        Returns
        -------
        pandas.DataFrame
            One row a host: host, zones (from the outside inwards), cores, speed_flops, gateway.

        Examples
        --------
        >>> das.hosts()[["host", "zones", "cores"]].head(2)
           host zones  cores
        0  c0-0  [c0]      1
        1  c0-1  [c0]      1
        """
        return _rows(self.network.hosts())

    def links(self) -> pandas.DataFrame:
        """Lists the links.

        Returns
        -------
        pandas.DataFrame
            One row a link: link, bandwidth_Bps, latency_s, sharing (shared or fatpipe).

        Examples
        --------
        >>> das.links().query("link == 'wan-c0-c1_UP'")[["link", "bandwidth_Bps", "latency_s"]].values.tolist()
        [['wan-c0-c1_UP', 1000000.0, 0.01]]
        """
        return _rows(self.network.links())

    def groups(self) -> pandas.DataFrame:
        """Lists the groups of the topology.

        Returns
        -------
        pandas.DataFrame
            One row a group: group (its number), name, level, parent (a number, -1 for everybody), ranks (a list).

        Examples
        --------
        >>> das.groups().query("level == 1")[["name", "ranks"]]
          name             ranks
        1   c0      [0, 1, 2, 3]
        2   c1      [4, 5, 6, 7]
        3   c2     [8, 9, 10, 11]
        4   c3  [12, 13, 14, 15]
        """
        return _rows(self.topology.groups())

    def placement(self) -> pandas.DataFrame:
        """Lists where the ranks are.

        Returns
        -------
        pandas.DataFrame
            One row a rank: rank, host.

        Examples
        --------
        >>> das.placement().host[:5].tolist()
        ['c0-0', 'c0-1', 'c0-2', 'c0-3', 'c1-0']
        """
        hosts = self._core.hosts
        return table({"rank": list(range(len(hosts))), "host": hosts})

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
        0      1       0.010020
        1  65536       0.031865
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

    def explain(self, collective: str, bytes: Sizes, *, root: int = 0, element_bytes: int = 1) -> pandas.DataFrame:
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

        Returns
        -------
        pandas.DataFrame
            One row a plan: bytes, plan, seconds (by the replay), bound_seconds, over_bound (their ratio). The first of
            a size is its choice, then the quickest come first.

        Raises
        ------
        BadInput
            When the collective is unknown, or a size is out of range.

        Examples
        --------
        >>> frame = das.explain("allgather", "1Ki")
        >>> bool(frame.seconds.iloc[0] == frame.seconds.min())
        True
        """
        collective = _collective(collective)
        root, element_bytes = whole("root", root, 0, self.ranks - 1), whole("element_bytes", element_bytes, 1, 2**40)
        rows = []
        for size in [0] if collective == "barrier" else sizes_of(bytes):
            plans = _core.candidates(self._core, collective, size, element_bytes, root)
            try:
                bound = _core.lower_bound_s(self._core, collective, size, element_bytes, root) or float("nan")
            except BadInput:  # none is known for this collective
                bound = float("nan")
            rows += [(size, plan, seconds, bound) for plan, seconds in plans]
        frame = table(
            {name: [row[i] for row in rows] for i, name in enumerate(("bytes", "plan", "seconds", "bound_seconds"))}
        )
        frame["over_bound"] = frame["seconds"] / frame["bound_seconds"]
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

        return records(
            run_program(
                self,
                "smpi",
                self._points(what, bytes, element_bytes, root),
                {
                    "repetitions": whole("repetitions", repetitions, 1),
                    "queueing": queueing,
                    "timeout_s": seconds("timeout_s", timeout_s),
                },
            )
        )

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

        return records(
            run_program(
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
        )

    # ---- as a file, and on other machines

    def file(self) -> str:
        """Gives the path of a file with this platform.

        Returns
        -------
        str
            The file that it was read from, as long as that is unchanged; else a copy that this process deletes at its
            end.

        Examples
        --------
        >>> das.file().endswith("platforms/kielmann2000/das-4x4.xml")
        True
        """
        text = self._xml if self._xml is not None else self.network.to_json()
        if self._file is not None and self._xml is not None:
            try:
                if Path(self._file).read_text(encoding="utf-8") == text:
                    return self._file
            except OSError:
                pass
        file = temporary_folder(text) / f"{self.name}.{'json' if self._xml is None else 'xml'}"
        if not file.exists():
            file.write_text(text, encoding="utf-8")
        return str(file)

    def placement_arguments(self) -> list[str]:
        """Gives the options that put the ranks of the program `isthmus` where they are here.

        Returns
        -------
        list of str
            `--placement`, `--ranks-per-host` and `--ranks` with their values.

        Examples
        --------
        >>> das.placed(ranks=8).placement_arguments()
        ['--placement', 'block', '--ranks-per-host', '1', '--ranks', '8']
        """
        if isinstance(self._placement, str):
            arguments = ["--placement", self._placement, "--ranks-per-host", str(self._ranks_per_host)]
            return arguments + (["--ranks", str(self._ranks)] if self._ranks else [])
        text = "".join(host + "\n" for host in self._placement)
        file = temporary_folder(text) / "placement"
        file.write_text(text, encoding="utf-8")
        most = max(self._placement.count(host) for host in set(self._placement))
        return ["--placement", str(file), "--ranks-per-host", str(most)]

    def as_data(self) -> dict[str, Any]:
        """Gives everything that from_data() needs, on whatever machine.

        Returns
        -------
        dict of str to object
            What JSON can hold.

        Examples
        --------
        >>> isthmus.Platform.from_data(das.as_data())
        <isthmus.Platform das-4x4: 16 hosts, 16 ranks>
        """
        return {
            "network": self.network.to_json(),
            "xml": self._xml,
            "file": self._file,
            "placement": self._placement,
            "ranks_per_host": self._ranks_per_host,
            "ranks": self._ranks,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Platform:
        """Makes a platform from what as_data() gave.

        Parameters
        ----------
        data : dict of str to object
            What as_data() gave, here or on another machine.

        Returns
        -------
        Platform
            The same platform, with the same ranks.

        Examples
        --------
        >>> isthmus.Platform.from_data(das.as_data())
        <isthmus.Platform das-4x4: 16 hosts, 16 ranks>
        """
        platform = object.__new__(cls)
        platform.network = Network.from_json(data["network"])
        platform._xml, platform._file = data["xml"], data["file"]
        platform._place(data["placement"], data["ranks_per_host"], data["ranks"])
        return platform

    def __reduce__(self) -> Any:
        return Platform.from_data, (self.as_data(),)

    def svg(self) -> Svg:
        """Draws sites, hosts and the links between sites.

        Returns
        -------
        Svg
            The text of an SVG file, which notebooks show.

        Examples
        --------
        >>> das.svg().save("das.svg")
        """
        return Svg(self.network.svg())

    def _repr_html_(self) -> str:
        rows = [
            ("platform", self.name),
            ("hosts", len(self.network)),
            ("ranks", self.ranks),
            ("levels", self.topology.levels),
        ]
        return facts(rows) + picture(self.network.svg(), 560) + f"<p>{self.network.caption()}</p>"

    def __repr__(self) -> str:
        return f"<isthmus.Platform {self.name}: {len(self.network)} hosts, {self.ranks} ranks>"


def _collective(name: object) -> str:
    if not isinstance(name, str):
        raise wrong_type("collective", name, "the name of a collective, as 'broadcast'")
    return name


def _rows(rows: list[dict[str, Any]]) -> pandas.DataFrame:
    return table({key: [row[key] for row in rows] for key in (rows[0] if rows else {})})


_folders: dict[str, Path] = {}


def temporary_folder(text: str) -> Path:
    """A folder for files with this text, deleted when the process ends."""
    if text not in _folders:
        if not _folders:
            atexit.register(_delete_folders)
        _folders[text] = Path(tempfile.mkdtemp(prefix="isthmus-"))
    return _folders[text]


def _delete_folders() -> None:
    for folder in _folders.values():
        shutil.rmtree(folder, ignore_errors=True)
