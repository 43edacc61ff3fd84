"""A platform with its ranks in place: where every question begins."""

import atexit
import json
import os
import shutil
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _core
from ._core import BadInput, Network, PLogP, Topology
from .arguments import PathLike, Sizes, What, list_of, one_of, one_size, path_of, plans_of, seconds, sizes_of, whole, wrong_type
from .comparisons import over_bound
from .frames import records, table
from .html import Svg, facts, picture
from .notes import warn, warn_about
from .schedule import Schedule

if TYPE_CHECKING:
    import pandas

PlacementLike = Union[str, Sequence[str]]


class Layers(NamedTuple):
    """The two layers of Kielmann 2000, section 2.1."""

    wan: PLogP
    lan: PLogP
    clusters: int
    cluster_size: int


class Platform:
    """A network and where its ranks are: `Platform("das-4x4.xml", ranks_per_host=2)`.

    `source` is a SimGrid XML file, a network as JSON, or a Network. `placement` is `block`, `cyclic`, or a host name for
    each rank. Without `ranks` there are as many as fit. Raises BadInput with file and line.
    """

    def __init__(self, source: Union[PathLike, Network], *, placement: PlacementLike = "block", ranks_per_host: int = 1,
                 ranks: Optional[int] = None) -> None:
        self._xml: Optional[str] = None
        self._file: Optional[str] = None
        if isinstance(source, Network):
            self.network = source
        elif isinstance(source, (str, os.PathLike)):
            self._file = os.path.abspath(path_of("source", source))
            self.network = Network.read(os.fspath(source))
            warn(self.network.notes())
            if not self._file.endswith(".json"):
                self._xml = Path(self._file).read_text(encoding="utf-8")
        else:
            raise wrong_type("source", source, "the path of a platform file, or a Network")
        self._place(placement, ranks_per_host, ranks)

    def _place(self, placement: PlacementLike, ranks_per_host: int, ranks: Optional[int]) -> None:
        self._ranks_per_host = whole("ranks_per_host", ranks_per_host, 1, 1 << 20)
        self._ranks = None if ranks is None else whole("ranks", ranks, 1)
        self._placement: Union[str, List[str]]
        if isinstance(placement, str):
            self._placement = one_of("placement", placement, ("block", "cyclic"))
            self._core = _core.Placed(self.network, self._placement, self._ranks_per_host, self._ranks or 0)
        else:
            self._placement = list_of("placement", placement, (str,), "block, cyclic, or a host name for each rank")
            self._core = _core.Placed(self.network, self._placement)

    @classmethod
    def from_xml(cls, text: str, name: str, **placement: Any) -> "Platform":
        """A platform from the text of a SimGrid XML file; `name` is what the file would be called without ending."""
        if not isinstance(text, str):
            raise wrong_type("text", text, "the text of a SimGrid XML file")
        if not name or "/" in name or name.startswith("."):
            raise BadInput(f"name: {name!r}; a file name without ending would be right")
        file = temporary_folder(text) / f"{name}.xml"
        file.write_text(text, encoding="utf-8")
        return cls(file, **placement)

    def placed(self, *, placement: PlacementLike = "block", ranks_per_host: int = 1, ranks: Optional[int] = None) -> "Platform":
        """The same network with other ranks."""
        other = object.__new__(Platform)
        other.network, other._xml, other._file = self.network, self._xml, self._file
        other._place(placement, ranks_per_host, ranks)
        return other

    def with_links(self, which: Union[str, Callable[[str], bool]], *, name: Optional[str] = None, bandwidth_Bps: Optional[float] = None,
                   latency_s: Optional[float] = None, scale_bandwidth: float = 1, scale_latency: float = 1) -> "Platform":
        """The platform with some links changed, for the models and the emulation (the simulation reads XML): those whose
        name fits the pattern `which` (`"wan-*"`), or for which this function of a name holds, get the given figures, or
        theirs times a factor. Raises BadInput when it is none."""
        if isinstance(which, str):
            pattern = which
            fits: Callable[[str], bool] = lambda link: fnmatchcase(link, pattern)
        elif callable(which):
            fits = which
        else:
            raise wrong_type("which", which, "a pattern such as 'wan-*', or a function of a link's name")
        for argument, value in (("bandwidth_Bps", bandwidth_Bps), ("latency_s", latency_s), ("scale_bandwidth", scale_bandwidth),
                                ("scale_latency", scale_latency)):
            least_is_zero = "latency" in argument
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
                raise wrong_type(argument, value, "a number")
            if value is not None and not (value >= 0 if least_is_zero else value > 0):
                raise BadInput(f"{argument}: {value}; a number {'of 0 or more' if least_is_zero else 'above 0'} would be right")
        network = json.loads(self.network.to_json())
        changed = [link for link in network["links"] if fits(link["name"])]
        if not changed:
            names = ", ".join(link["name"] for link in network["links"][:6])
            shown = repr(which) if isinstance(which, str) else "it"
            raise BadInput(f"which: {shown} fits no link of {self.name}; there are {names} ...")
        for link in changed:
            link["bandwidth_Bps"] = (link["bandwidth_Bps"] if bandwidth_Bps is None else bandwidth_Bps) * scale_bandwidth
            link["latency_s"] = (link["latency_s"] if latency_s is None else latency_s) * scale_latency
        network["name"] = name or f"{self.name}-changed"
        return Platform(Network.from_json(json.dumps(network)), **self.placed_as())

    def placed_as(self) -> Dict[str, Any]:
        """The keyword arguments that place ranks as they are here."""
        return {"placement": self._placement, "ranks_per_host": self._ranks_per_host, "ranks": self._ranks}

    # ---- what it is

    @property
    def name(self) -> str:
        return self.network.name

    @property
    def ranks(self) -> int:
        return self._core.size

    @property
    def topology(self) -> Topology:
        return self._core.topology

    def hosts(self) -> "pandas.DataFrame":
        """One row a host: host, zones, cores, speed_flops, gateway."""
        return _rows(self.network.hosts())

    def links(self) -> "pandas.DataFrame":
        """One row a link: link, bandwidth_Bps, latency_s, sharing."""
        return _rows(self.network.links())

    def groups(self) -> "pandas.DataFrame":
        """One row a group of the topology: group, name, level, parent, ranks."""
        return _rows(self.topology.groups())

    def placement(self) -> "pandas.DataFrame":
        """Where the ranks are: rank, host."""
        hosts = self._core.hosts
        return table({"rank": list(range(len(hosts))), "host": hosts})

    def plogp(self, from_rank: int, to_rank: int) -> PLogP:
        """P-LogP of the route between two ranks."""
        last = self.ranks - 1
        return _core.plogp(self._core, whole("from_rank", from_rank, 0, last), whole("to_rank", to_rank, 0, last))

    def layers(self) -> Layers:
        return Layers(*_core.two_layers(self._core))

    # ---- schedules and models, in this process

    def schedule(self, what: Union[str, _core.Algorithm], bytes: Union[int, str], *, element_bytes: int = 1, root: int = 0) -> Schedule:
        """The schedule of one plan; of a collective that is named alone that of the automatic choice. The parameters of an
        algorithm that is named alone are chosen by model. Raises BadInput."""
        if not isinstance(what, (str, _core.Algorithm)):
            raise wrong_type("what", what, "a plan ('broadcast/kielmann:segment=64Ki') or an Algorithm")
        return Schedule(_core.Schedule(self._core, _core.checked_plan(str(what)), one_size(bytes), whole("element_bytes", element_bytes, 1, 2**40),
                                       whole("root", root, 0, self.ranks - 1)))

    def bound(self, collective: str, bytes: Sizes, *, root: int = 0) -> "pandas.DataFrame":
        """The time that no schedule can beat: bytes, bound_seconds."""
        collective = _collective(collective)
        root = whole("root", root, 0, self.ranks - 1)
        sizes = sizes_of(bytes)
        return table({"bytes": sizes, "bound_seconds": [_core.lower_bound_s(self._core, collective, size, 1, root) for size in sizes]})

    def explain(self, collective: str, bytes: Sizes, *, root: int = 0, element_bytes: int = 1) -> "pandas.DataFrame":
        """Every plan that the automatic choice tries: bytes, plan, seconds (replay), bound_seconds, over_bound. The first of a
        size is its choice, then the quickest come first. Raises BadInput."""
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
        frame = table({name: [row[i] for row in rows] for i, name in enumerate(("bytes", "plan", "seconds", "bound_seconds"))})
        frame["over_bound"] = over_bound(frame)
        return frame

    def choose(self, collective: str, bytes: Union[int, str], *, root: int = 0, element_bytes: int = 1) -> Schedule:
        """The schedule of the plan that the automatic choice takes."""
        return self.schedule(f"{_collective(collective)}/auto", bytes, root=root, element_bytes=element_bytes)

    def predict(self, what: What, bytes: Sizes, *, models: Union[str, Sequence[str], None] = None, root: int = 0,
                element_bytes: int = 1) -> "pandas.DataFrame":
        """The time of plans by the models (all when left out), one row a record: the automatic choice `broadcast`, every
        algorithm `broadcast/all`, or plans. `frame.attrs["left_out"]` lists the points that a model has no formula for."""
        from .sources import MODELS, SweepPoint
        names = list(MODELS) if models is None else list_of("models", models, (str,), ", ".join(MODELS))
        points = self._points(what, bytes, element_bytes, root)
        settings = _core.Settings(1, 1, "fifo", "auto")
        texts: List[str] = []
        left_out = []
        for model in names:
            one_of("models", model, MODELS)
            questions = _core.questions(self._core, model, points, settings)
            answers = iter(_core.run_models(self._core, model, [point for point, question in zip(points, questions) if question]))
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

    def _points(self, what: What, bytes: Sizes, element_bytes: int, root: int) -> "List[Tuple[str, int, int, int]]":
        element_bytes = whole("element_bytes", element_bytes, 1, 2**40)
        root = whole("root", root, 0, self.ranks - 1)
        plans = plans_of(what)
        sizes = sizes_of(bytes)
        points = [(plan, size, element_bytes, root) for plan in plans
                  for size in (sizes if not plan.startswith("barrier/") else [0])]
        served = _core.questions(self._core, "replay", points, _core.Settings(1, 1, "fifo", "auto"))
        kept = [point for point, question in zip(points, served) if question or not plans[point[0]]]
        if not kept:
            raise BadInput(f"what: no algorithm of {what} serves this")
        return kept

    # ---- simulation and emulation, by the program isthmus

    def simulate(self, what: What, bytes: Sizes, *, root: int = 0, element_bytes: int = 1, repetitions: int = 1,
                 queueing: str = "fifo", timeout_s: float = 600) -> "pandas.DataFrame":
        """The time of plans under SimGrid's SMPI. Raises Refused when a run fails."""
        from .sources import run_program
        texts = run_program(self, "smpi", self._points(what, bytes, element_bytes, root),
                            {"repetitions": whole("repetitions", repetitions, 1), "queueing": queueing,
                             "timeout_s": seconds("timeout_s", timeout_s)})
        warn_about(texts)
        return records(texts)

    def emulate(self, what: What, bytes: Sizes, *, root: int = 0, element_bytes: int = 1, repetitions: int = 1,
                warm_up: int = 1, substrate: str = "auto", timeout_s: float = 600) -> "pandas.DataFrame":
        """The time of plans with a real MPI on the emulated network. Raises Missing where it cannot be had."""
        from .sources import run_program
        texts = run_program(self, "emulated", self._points(what, bytes, element_bytes, root),
                            {"repetitions": whole("repetitions", repetitions, 1), "warm_up": whole("warm_up", warm_up, 0),
                             "substrate": substrate, "timeout_s": seconds("timeout_s", timeout_s)})
        warn_about(texts)
        return records(texts)

    # ---- as a file, and on other machines

    def file(self) -> str:
        """A file with this platform: the one that it was read from as long as that is unchanged, else a copy that this
        process deletes at its end."""
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

    def placement_arguments(self) -> List[str]:
        """What puts the ranks of the program `isthmus` where they are here."""
        if isinstance(self._placement, str):
            arguments = ["--placement", self._placement, "--ranks-per-host", str(self._ranks_per_host)]
            return arguments + (["--ranks", str(self._ranks)] if self._ranks else [])
        text = "".join(host + "\n" for host in self._placement)
        file = temporary_folder(text) / "placement"
        file.write_text(text, encoding="utf-8")
        most = max(self._placement.count(host) for host in set(self._placement))
        return ["--placement", str(file), "--ranks-per-host", str(most)]

    def as_data(self) -> Dict[str, Any]:
        """Everything that from_data() needs, on whatever machine, as JSON can hold it."""
        return {"network": self.network.to_json(), "xml": self._xml, "file": self._file, "placement": self._placement,
                "ranks_per_host": self._ranks_per_host, "ranks": self._ranks}

    @classmethod
    def from_data(cls, data: Dict[str, Any]) -> "Platform":
        platform = object.__new__(cls)
        platform.network = Network.from_json(data["network"])
        platform._xml, platform._file = data["xml"], data["file"]
        platform._place(data["placement"], data["ranks_per_host"], data["ranks"])
        return platform

    def __reduce__(self) -> Any:
        return Platform.from_data, (self.as_data(),)

    def svg(self) -> Svg:
        """Sites, hosts and the links between sites."""
        return Svg(self.network.svg())

    def _repr_html_(self) -> str:
        rows = [("platform", self.name), ("hosts", len(self.network)), ("ranks", self.ranks), ("levels", self.topology.levels)]
        return facts(rows) + picture(self.network.svg(), 560) + f"<p>{self.network.caption()}</p>"

    def __repr__(self) -> str:
        return f"<isthmus.Platform {self.name}: {len(self.network)} hosts, {self.ranks} ranks>"


def _collective(name: object) -> str:
    if not isinstance(name, str):
        raise wrong_type("collective", name, "the name of a collective, as 'broadcast'")
    return name


def _rows(rows: List[Dict[str, Any]]) -> "pandas.DataFrame":
    return table({key: [row[key] for row in rows] for key in (rows[0] if rows else {})})


_folders: Dict[str, Path] = {}


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
