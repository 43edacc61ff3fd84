"""A network with its ranks in place, and its forms for files and other machines."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from .. import _core
from .._core import BadInput, Network, Topology
from ..arguments import PathLike, file_stem, list_of, one_of, only_placement, path_of, whole, wrong_type
from ..descriptions import described
from ..html import Svg, facts, picture
from ..notes import warn

PlacementLike = str | Sequence[str]


@described
class PlacedNetwork:
    """A network and the placement of its ranks; Platform adds all questions.

    Two of them are equal when they have the same network, figures of links included, and the same ranks on the same
    hosts, wherever they were read from.
    """

    def __init__(
        self,
        source: PathLike | Network,
        *,
        placement: PlacementLike = "block",
        ranks_per_host: int = 1,
        ranks: int | None = None,
    ) -> None:
        self._xml: str | Callable[[], str] | None = None  # or what writes it
        self._file: str | None = None
        self._set_links: list[str] = []  # how the links differ from the file's, as in the option --set
        self._unset: Network | None = None  # before that
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
            self._core = _core.Placed(
                self.network, self._placement, self._ranks_per_host, self._ranks or 0, self._set_links
            )
        else:
            hosts = list_of("placement", placement, (str,), "block, cyclic, or a host name for each rank")
            if self._ranks_per_host != 1:
                right = "none, and each host in the list as often as it has ranks, would be right"
                raise BadInput(f"ranks_per_host: {ranks_per_host}, beside a list of hosts; {right}")
            if self._ranks and self._ranks > len(hosts):
                right = f"at most {len(hosts)}, the hosts in placement, would be right"
                raise BadInput(f"ranks: {ranks}, beside a list of hosts; {right}")
            self._placement = hosts
            self._core = _core.Placed(self.network, hosts[: self._ranks], self._set_links)

    @classmethod
    def from_xml(cls, text: str, name: str, **placement: Any) -> Self:
        """Makes a platform from the text of a SimGrid XML file.

        Parameters
        ----------
        text : str
            The XML.
        name : str
            What the file would be called, without ending.
        {any_placement}

        {Returns: made_platform}

        {Raises BadInput: When the text is no platform, with its line; when the name is no name of a file.}

        Examples
        --------
        >>> with open("platforms/kielmann2000/das-4x4.xml") as file:
        ...     isthmus.Platform.from_xml(file.read(), "das", ranks=8)
        <isthmus.Platform das: 16 hosts, 8 ranks>
        """
        only_placement(cls.from_xml, placement)
        if not isinstance(text, str):
            raise wrong_type("text", text, "the text of a SimGrid XML file")
        file = temporary_folder(text) / f"{file_stem('name', name)}.xml"
        file.write_text(text, encoding="utf-8")
        return cls(file, **placement)

    @classmethod
    def _made(cls, network: Network, xml: Callable[[], str], **placement: Any) -> Self:
        """A platform of which the XML is written when it is asked for."""
        warn(network.notes())
        platform = cls(network, **placement)
        platform._xml = xml
        return platform

    def placed(self, *, placement: PlacementLike = "block", ranks_per_host: int = 1, ranks: int | None = None) -> Self:
        """Places other ranks on the same network.

        {Parameters: placement, ranks_per_host, ranks}

        {Returns: same_network}

        Examples
        --------
        >>> das.placed(placement="cyclic", ranks_per_host=2)
        <isthmus.Platform das-4x4: 16 hosts, 32 ranks>
        """
        other = object.__new__(type(self))
        other.network, other._xml, other._file = self.network, self._xml, self._file
        other._set_links, other._unset = self._set_links, self._unset
        other._place(placement, ranks_per_host, ranks)
        return other

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

    def file(self) -> str:
        """Gives the path of a file with this platform.

        Returns
        -------
        str
            The file that it was read from, if that is unchanged; else a copy that this process deletes at its end. It
            has the links as they were before with_links(); arguments() has the changes.

        Examples
        --------
        >>> das.file().endswith("platforms/kielmann2000/das-4x4.xml")
        True
        """
        text = self._text()
        if self._file is not None and self._xml is not None and Path(self._file).stem == self.name:
            try:
                if Path(self._file).read_text(encoding="utf-8") == text:
                    return self._file
            except OSError:
                pass
        folder = temporary_folder(self.name + text)
        file = folder / f"{self.name}.{'json' if self._xml is None else 'xml'}"
        if not file.exists():
            if self._file is not None and self._xml is not None:
                _copy_profiles(text, Path(self._file).parent, folder)
            _core.write_whole_file(str(file), text)
        return str(file)

    def _text(self) -> str:
        """What file() has: the platform before its links were changed."""
        return self._xml_text() or (self._unset or self.network).to_json()

    def _xml_text(self) -> str | None:
        if callable(self._xml):
            self._xml = self._xml()
        return self._xml

    def arguments(self) -> list[str]:
        """Gives the arguments by which the program `isthmus` has this platform, with its links and ranks.

        Returns
        -------
        list of str
            The file, `--set` with each change of links, and placement_arguments().

        Examples
        --------
        >>> das.with_links("wan-*", bandwidth="x2").arguments()[1:3]
        ['--set', 'wan-*.bandwidth=x2']
        """
        return [*self._file_arguments(), *self.placement_arguments()]

    def _file_arguments(self) -> list[str]:
        return [self.file(), *(word for change in self._set_links for word in ("--set", change))]

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
        hosts = self._core.hosts
        text = "".join(host + "\n" for host in hosts)
        file = temporary_folder(text) / "placement"
        if not file.exists():
            _core.write_whole_file(str(file), text)
        most = max(Counter(hosts).values())
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
            "xml": self._xml_text(),
            "file": self._file,
            "set_links": self._set_links,
            "unset": None if self._unset is None else self._unset.to_json(),
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
        right = "what as_data() gave"
        if not isinstance(data, dict):
            raise wrong_type("data", data, right)
        for name in ("network", "xml", "file", "set_links", "unset", "placement", "ranks_per_host", "ranks"):
            if name not in data:
                raise BadInput(f"data: {name} is missing; {right} would be right")
        platform = object.__new__(cls)
        platform.network = Network.from_json(data["network"])
        platform._xml, platform._file = data["xml"], data["file"]
        platform._set_links = list(data["set_links"])
        platform._unset = None if data["unset"] is None else Network.from_json(data["unset"])
        platform._place(data["placement"], data["ranks_per_host"], data["ranks"])
        return platform

    def _content(self) -> tuple[str, tuple[str, ...]]:
        return self.network.to_json(), tuple(self._core.hosts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlacedNetwork):
            return NotImplemented
        return self is other or self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self._core.digest, tuple(self._core.hosts)))

    def __reduce__(self) -> Any:
        return type(self).from_data, (self.as_data(),)

    def svg(self) -> Svg:
        """Draws sites, hosts and the links between sites.

        {Returns: svg}

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


def _copy_profiles(xml: str, source: Path, folder: Path) -> None:
    """Copies what the XML names beside itself."""
    for name in re.findall(r"""\b(?:bandwidth|latency|availability|state)_file\s*=\s*["']([^"']+)["']""", xml):
        copy = (folder / name).resolve()
        if copy.is_relative_to(folder.resolve()) and (source / name).is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, copy)


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
