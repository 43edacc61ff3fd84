"""A network with its ranks in place: its contents, and its forms for files and other machines."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from . import _core
from ._core import BadInput, Network, Topology
from .arguments import PathLike, list_of, one_of, path_of, whole, wrong_type
from .frames import table
from .html import Svg, facts, picture
from .notes import warn

if TYPE_CHECKING:
    import pandas

PlacementLike = str | Sequence[str]


class PlacedNetwork:
    """A network and the placement of its ranks; Platform adds schedules, models, simulation and emulation."""

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
            warn(self.network.notes())
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
    def from_xml(cls, text: str, name: str, **placement: Any) -> Self:
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

    def placed(self, *, placement: PlacementLike = "block", ranks_per_host: int = 1, ranks: int | None = None) -> Self:
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
        other = object.__new__(type(self))
        other.network, other._xml, other._file = self.network, self._xml, self._file
        other._place(placement, ranks_per_host, ranks)
        return other

    def with_links(
        self,
        which: str | Callable[[str], bool],
        *,
        name: str | None = None,
        bandwidth: str | None = None,
        latency: str | None = None,
        bandwidth_Bps: float | None = None,
        latency_s: float | None = None,
        scale_bandwidth: float = 1,
        scale_latency: float = 1,
    ) -> Self:
        """Changes some links, for the models and the emulation; the simulation reads XML.

        Parameters
        ----------
        which : str or callable
            A pattern of names, as `"wan-*"`, or a function that holds for the names of the links to change. The name
            of a split-duplex link stands for both of its directions, `NAME_UP` and `NAME_DOWN`.
        name : str, optional
            The name of the new platform.
        bandwidth, latency : str, optional
            As in the option --set of the commands: "x2", "+10%", "10Gbps"; "50ms", "x0.5".
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
        >>> das.with_links("wan-c0-c1", bandwidth="x2", latency="50ms")
        <isthmus.Platform das-4x4-changed: 16 hosts, 16 ranks>
        """
        if isinstance(which, str):
            patterns = [which + direction for direction in ("", "_UP", "_DOWN")]
            fits: Callable[[str], bool] = lambda link: any(fnmatchcase(link, pattern) for pattern in patterns)
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
            zero_is_allowed = "latency" in argument
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
                raise wrong_type(argument, value, "a number")
            if value is not None and not (value >= 0 if zero_is_allowed else value > 0):
                raise BadInput(
                    f"{argument}: {value}; a number {'of 0 or more' if zero_is_allowed else 'above 0'} would be right"
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
        settings = []
        for figure, text in (("bandwidth", bandwidth), ("latency", latency)):
            if text is not None and not isinstance(text, str):
                raise wrong_type(figure, text, "a text such as 'x2'")
            settings += [f"{link['name']}.{figure}={text}" for link in changed if text is not None]
        return type(self)(Network.from_json(json.dumps(network)).with_settings(settings), **self.placed_as())

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

    def file(self) -> str:
        """Gives the path of a file with this platform.

        Returns
        -------
        str
            The file that it was read from, if that is unchanged; else a copy that this process deletes at its end.

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
    def from_data(cls, data: dict[str, Any]) -> Self:
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
        return type(self).from_data, (self.as_data(),)

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
