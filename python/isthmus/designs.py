"""Platforms from a few figures, such as networks that are still to be built."""

from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from ._core import BadInput
from .arguments import whole
from .platform import Platform


def _positive(name: str, value: object, zero: bool = False) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (value >= 0 if zero else value > 0):
        raise BadInput(f"{name}: {value!r}; a number {'of 0 or more' if zero else 'above 0'} would be right")
    return float(value)


def clusters(
    hosts: int | Sequence[int],
    sites: int = 0,
    *,
    wan_latency_s: float,
    wan_bandwidth_Bps: float,
    lan_latency_s: float = 20e-6,
    lan_bandwidth_Bps: float = 1.25e9,
    header_bytes: float = 100,
    name: str = "clusters",
    **placement: Any,
) -> Platform:
    """Makes a platform of clusters, every pair joined by a full-duplex link.

    It can be modelled, simulated and emulated.

    Parameters
    ----------
    hosts : int or list of int
        How many hosts each of `sites` clusters has, or a list with the number of each.
    sites : int
        How many clusters there are, where `hosts` is one number.
    wan_latency_s : float
        The latency of a link between two clusters, one way, in seconds.
    wan_bandwidth_Bps : float
        The bandwidth of such a link, each way, in bytes a second.
    lan_latency_s : float
        The latency from host to host inside a cluster, one way, in seconds.
    lan_bandwidth_Bps : float
        The bandwidth of a host's link, each way, in bytes a second.
    header_bytes : float
        What a message costs on every link beyond its own bytes. Without it the models would cut messages into single
        bytes.
    name : str
        The name of the platform.
    **placement
        Where the ranks are, as for Platform.

    Returns
    -------
    Platform
        The platform, with its ranks in place.

    Raises
    ------
    BadInput
        Naming the argument that is wrong.

    Examples
    --------
    >>> isthmus.clusters(16, 4, wan_latency_s=10e-3, wan_bandwidth_Bps=1e6)
    <isthmus.Platform clusters: 64 hosts, 64 ranks>
    >>> isthmus.clusters([3, 5], wan_latency_s=10e-3, wan_bandwidth_Bps=1e6, name="two").layers().clusters
    2
    """
    counts: list[int] = (
        [whole("hosts", hosts, 1, 1 << 20)] * whole("sites", sites, 1, 4096)
        if isinstance(hosts, int)
        else [whole("hosts", count, 1, 1 << 20) for count in hosts]
    )
    wan_s, wan_Bps = _positive("wan_latency_s", wan_latency_s, zero=True), _positive(
        "wan_bandwidth_Bps", wan_bandwidth_Bps
    )
    lan_s, lan_Bps = _positive("lan_latency_s", lan_latency_s, zero=True), _positive(
        "lan_bandwidth_Bps", lan_bandwidth_Bps
    )
    header = _positive("header_bytes", header_bytes, zero=True)
    lines = [
        "<?xml version='1.0'?>",
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
        '<platform version="4.1">',
        f'  <zone id={quoteattr(name)} routing="Full">',
        f'    <prop id="isthmus.header_bytes" value="{header!r}"/>',
    ]
    for site, count in enumerate(counts):
        lines.append(
            f'    <cluster id="c{site}" prefix="c{site}-" suffix="" radical="0-{count - 1}" speed="1Gf" '
            f'bw="{lan_Bps!r}Bps" lat="{lan_s / 2!r}s" router_id="c{site}-router"/>'
        )
    pairs = [(a, b) for a in range(len(counts)) for b in range(a)]
    for a, b in pairs:
        lines.append(
            f'    <link id="wan-{b}-{a}" bandwidth="{wan_Bps!r}Bps" latency="{wan_s!r}s" sharing_policy="SPLITDUPLEX"/>'
        )
    for a, b in pairs:
        lines.append(
            f'    <zoneRoute src="c{b}" dst="c{a}" gw_src="c{b}-router" gw_dst="c{a}-router">'
            f'<link_ctn id="wan-{b}-{a}" direction="UP"/></zoneRoute>'
        )
    lines += ["  </zone>", "</platform>", ""]
    return Platform.from_xml("\n".join(lines), name, **placement)
