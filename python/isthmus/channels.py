"""Channels of programs: the networks and channels files of MPICH/MadIII (Aumage 2003)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _core
from .arguments import PathLike, path_of
from .html import Svg, picture

if TYPE_CHECKING:
    import pandas


class Channels:
    """The channels that files of networks and channels define.

    A physical channel is some or all hosts of a network; a virtual channel joins physical ones, and hosts in several of
    its parts are gateways, which forward.

    Parameters
    ----------
    *files : str or os.PathLike
        A channels file, with the networks file that it includes; or both files.

    Raises
    ------
    BadInput
        With file, line and column: for what cannot be read, for unknown names, for parts of a virtual channel that do
        not connect.

    Examples
    --------
    >>> isthmus.Channels("platforms/aumage2003/channels.cfg")
    <isthmus.Channels: 6 channels, 6 hosts>
    """

    def __init__(self, *files: PathLike) -> None:
        self._core = _core.ChannelFiles.read([path_of("files", file) for file in files])

    def table(self) -> pandas.DataFrame:
        """Lists the channels.

        Returns
        -------
        pandas.DataFrame
            One row a channel: its network, or of a virtual one the parts and the gateways; its hosts; whether it is
            used up by a virtual one; whether it is that of MPI_COMM_WORLD.

        Examples
        --------
        >>> isthmus.Channels("platforms/aumage2003/channels.cfg").table().gateways.iloc[-1]
        ['foo2']
        """
        import pandas

        return pandas.DataFrame(self._core.rows())

    def seen_by(self, host: str) -> list[str]:
        """Names the channels of which programs on a host have communicators, by index.

        Parameters
        ----------
        host : str
            The host's name.

        Returns
        -------
        list of str
            The channels that have the host and are no part of a virtual one, in the order of the file.

        Examples
        --------
        >>> isthmus.Channels("platforms/aumage2003/channels.cfg").seen_by("goo0")
        ['tcp_channel', 'bip_channel2', 'default']
        """
        return self._core.seen_by(host)

    def svg(self) -> Svg:
        """Draws the channels: a row each, a column for each host.

        Returns
        -------
        Svg
            The picture.

        Examples
        --------
        >>> isthmus.Channels("platforms/aumage2003/channels.cfg").svg().save("channels.svg")
        """
        return Svg(self._core.svg())

    def __str__(self) -> str:
        return self._core.text()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channels):
            return NotImplemented
        return self._core == other._core

    def __hash__(self) -> int:
        return hash(self._core)

    def __repr__(self) -> str:
        rows = self._core.rows()
        hosts = {host for row in rows for host in row["hosts"]}
        return f"<isthmus.Channels: {len(rows)} channels, {len(hosts)} hosts>"

    def _repr_html_(self) -> str:
        return picture(self.svg(), 620)
