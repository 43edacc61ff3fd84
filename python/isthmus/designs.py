"""Platforms from a few figures, such as networks that are still to be built."""

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any, SupportsFloat, SupportsIndex

from . import _core
from ._core import BadInput
from .arguments import Matrix, file_stem, list_of, number, only_placement, whole, wrong_type
from .descriptions import described
from .platform import Platform


@described
def clusters(
    hosts: SupportsIndex | Sequence[SupportsIndex],
    sites: SupportsIndex = 0,
    *,
    wan_latency_s: SupportsFloat | Matrix,
    wan_bandwidth_Bps: SupportsFloat | Matrix,
    lan_latency_s: SupportsFloat = 20e-6,
    lan_bandwidth_Bps: SupportsFloat = 1.25e9,
    header_bytes: SupportsFloat = 100,
    name: str = "clusters",
    **placement: Any,
) -> Platform:
    """Makes a platform of clusters, every pair joined by a full-duplex link.

    Where the figures of a pair differ by direction it has a link each way. It can be modelled, simulated and emulated.

    Parameters
    ----------
    hosts : int or list of int
        How many hosts each of `sites` clusters has, or a list with the number of each.
    sites : int
        How many clusters there are, where `hosts` is one number.
    wan_latency_s : float or matrix
        The latency of a link between two clusters, one way, in seconds; of all, or of each pair: nested lists, an array
        or a DataFrame, whose rows are the clusters that send. The diagonal is not looked at.
    wan_bandwidth_Bps : float or matrix
        The bandwidth of such a link, each way, in bytes a second.
    lan_latency_s : float
        The latency from host to host inside a cluster, one way, in seconds.
    lan_bandwidth_Bps : float
        The bandwidth of a host's link, each way, in bytes a second.
    header_bytes : float
        What a message costs on every link beyond its own bytes. Without it the models would cut messages into single
        bytes.
    {name, any_placement}

    {Returns: made_platform}

    {Raises: wrong_argument}

    Examples
    --------
    >>> isthmus.clusters(16, 4, wan_latency_s=10e-3, wan_bandwidth_Bps=1e6)
    <isthmus.Platform clusters: 64 hosts, 64 ranks>
    >>> isthmus.clusters([3, 5], wan_latency_s=10e-3, wan_bandwidth_Bps=1e6, name="two").layers().clusters
    2
    >>> far = [[0, 10e-3, 80e-3], [10e-3, 0, 75e-3], [80e-3, 75e-3, 0]]
    >>> isthmus.clusters(4, 3, wan_latency_s=far, wan_bandwidth_Bps=1e8).latencies().loc["c0", "c2"].round(3)
    0.08
    """
    only_placement(clusters, placement)
    if isinstance(hosts, Integral):
        counts = [whole("hosts", hosts, 1, 1 << 20)] * whole("sites", sites, 1, 4096)
    else:
        right = "how many hosts each cluster has, or a list with the number of each,"
        counts = [whole("hosts", count, 1, 1 << 20) for count in list_of("hosts", hosts, (Integral,), right)]
        if whole("sites", sites, 0) not in (0, len(counts)):
            raise BadInput(f"sites: {sites}, but hosts has {len(counts)} numbers; as many would be right")
    names = [f"c{site}" for site in range(len(counts))]
    wan_s = _of_pairs("wan_latency_s", wan_latency_s, names, zero=True)
    wan_Bps = _of_pairs("wan_bandwidth_Bps", wan_bandwidth_Bps, names, zero=False)
    lan_s, lan_Bps = number("lan_latency_s", lan_latency_s, zero=True), number("lan_bandwidth_Bps", lan_bandwidth_Bps)
    header = number("header_bytes", header_bytes, zero=True)
    file_stem("name", name)

    def xml() -> str:
        return _clusters_xml(name, counts, wan_s, wan_Bps, lan_s, lan_Bps, header)

    if min(counts, default=0) < 3:  # their hosts' own links are told apart by the reader of XML
        return Platform.from_xml(xml(), name, **placement)
    flat_s, flat_Bps = ([value for row in rows for value in row] for rows in (wan_s, wan_Bps))
    network = _core.cluster_mesh(name, counts, lan_s / 2, lan_Bps, header, flat_s, flat_Bps)
    return Platform._made(network, xml, **placement)


def _clusters_xml(
    name: str,
    counts: list[int],
    wan_s: list[list[float]],
    wan_Bps: list[list[float]],
    lan_s: float,
    lan_Bps: float,
    header: float,
) -> str:
    from xml.sax.saxutils import quoteattr  # imported here, since it brings modules of networks

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
    direct = []
    for a, b in pairs:
        equal = wan_s[a][b] == wan_s[b][a] and wan_Bps[a][b] == wan_Bps[b][a]
        for source, destination in [(b, a)] if equal else [(b, a), (a, b)]:
            lines.append(
                f'    <link id="wan-{source}-{destination}" bandwidth="{wan_Bps[source][destination]!r}Bps" '
                f'latency="{wan_s[source][destination]!r}s" sharing_policy="{"SPLITDUPLEX" if equal else "SHARED"}"/>'
            )
            direct.append((source, destination, equal))
    for source, destination, equal in direct:
        ways, direction = ("", ' direction="UP"') if equal else (' symmetrical="NO"', "")
        lines.append(
            f'    <zoneRoute src="c{source}" dst="c{destination}" gw_src="c{source}-router" '
            f'gw_dst="c{destination}-router"{ways}><link_ctn id="wan-{source}-{destination}"{direction}/></zoneRoute>'
        )
    lines += ["  </zone>", "</platform>", ""]
    return "\n".join(lines)


def _of_pairs(name: str, value: Any, sites: list[str], zero: bool) -> list[list[float]]:
    """One figure for all pairs, or a matrix, as rows."""
    if isinstance(value, (Real, str)):
        return [[number(name, value, zero)] * len(sites)] * len(sites)
    flat = _matrix(name, value, sites, zero)
    return [flat[i : i + len(sites)] for i in range(0, len(flat), len(sites))]


def _matrix(name: str, values: Any, sites: list[str], zero: bool) -> list[float]:
    """The values row by row; those from a site to itself are not looked at."""
    if hasattr(values, "to_numpy"):  # a DataFrame, in whatever order
        if set(sites) <= set(values.index) and set(sites) <= set(values.columns):
            values = values.loc[sites, sites]
        values = values.to_numpy()
    try:
        rows = [list(row) for row in values]
    except TypeError:
        raise wrong_type(name, values, "a number, or a matrix with a row and a column for each site") from None
    if len(rows) != len(sites) or any(len(row) != len(sites) for row in rows):
        raise BadInput(f"{name}: a row and a column for each of the {len(sites)} sites would be right")

    def figure(source: int, destination: int) -> float:
        value = rows[source][destination]
        between = f"{name}, from {sites[source]} to {sites[destination]}"
        if isinstance(value, Real) and not math.isfinite(value):
            raise BadInput(
                f"{between}: {value}; a finite number would be right: each site has a line to each other "
                "(Platform.from_networkx() takes graphs without some of the lines)"
            )
        return number(between, value, zero)

    return [0.0 if i == j else figure(i, j) for i in range(len(sites)) for j in range(len(sites))]


def _each(name: str, value: Any, sites: list[str]) -> list[Any]:
    """One value a site, of one for all or a list."""
    if value is None or isinstance(value, (Real, str)):
        return [value] * len(sites)
    values = list(value)
    if len(values) != len(sites):
        raise BadInput(f"{name}: {len(values)} values; one for each of the {len(sites)} sites would be right")
    return values


@described
def wide_area(
    sites: Sequence[str],
    *,
    latency_s: Matrix,
    bandwidth_Bps: Matrix,
    price_per_GB: Matrix | None = None,
    hosts: SupportsIndex | Sequence[SupportsIndex] = 4,
    host_latency_s: SupportsFloat = 25e-6,
    host_bandwidth_Bps: SupportsFloat | Sequence[SupportsFloat] = 1.25e9,
    exit_Bps: SupportsFloat | Sequence[SupportsFloat] | None = None,
    entrance_Bps: SupportsFloat | Sequence[SupportsFloat] | None = None,
    name: str = "sites",
    **placement: Any,
) -> Platform:
    """Makes a platform of sites from what was measured between them: a line for each ordered pair.

    `isthmus platform --from-table` does the same with tables in files.

    Parameters
    ----------
    sites : list of str
        Their names, two or more, in any language. Blanks, quotes and other signs become `-`, as the comment at the top
        of the platform file says.
    latency_s : matrix
        One way, in seconds; the row is the source. Nested lists, a numpy array, or a DataFrame by site,
        as Platform.latencies() gives it. The diagonal is not looked at.
    bandwidth_Bps : matrix
        Of the line from one site to another, in bytes a second.
    price_per_GB : matrix, optional
        What 10^9 bytes cost on each line. Records then say what a call costs.
    hosts : int or list of int
        How many hosts each site has.
    host_latency_s : float
        The latency of each host's link, one way, in seconds.
    host_bandwidth_Bps : float or list of float
        The bandwidth of each host's link, each way, in bytes a second.
    exit_Bps, entrance_Bps : float or list of float, optional
        What leaves and enters a site together, in bytes a second; no limit when left out.
    {name, any_placement}

    {Returns: made_platform}

    {Raises BadInput: Naming the argument that is wrong, and both sites.}

    Examples
    --------
    >>> latency_s, bandwidth_Bps = [[0, 0.01], [0.02, 0]], [[0, 1e6], [2e6, 0]]
    >>> two = isthmus.wide_area(["a", "b"], latency_s=latency_s, bandwidth_Bps=bandwidth_Bps, hosts=3)
    >>> two
    <isthmus.Platform sites: 6 hosts, 6 ranks>
    >>> two.network.route("b-0", "a-0")["bandwidth_Bps"]
    2000000.0
    """
    only_placement(wide_area, placement)
    if not isinstance(sites, Iterable):
        raise wrong_type("sites", sites, "a list of names")
    names = [str(site) for site in sites]
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput("sites: two or more different names would be right")

    def rate(what: str, value: Any) -> float | None:
        return None if value is None else number(what, value)

    rows = [
        _core.SiteRow(
            site,
            whole("hosts", count, 1, 1 << 20),
            number("host_bandwidth_Bps", own_Bps),
            rate("exit_Bps", out_Bps),
            rate("entrance_Bps", in_Bps),
        )
        for site, count, own_Bps, out_Bps, in_Bps in zip(
            names,
            _each("hosts", hosts, names),
            _each("host_bandwidth_Bps", host_bandwidth_Bps, names),
            _each("exit_Bps", exit_Bps, names),
            _each("entrance_Bps", entrance_Bps, names),
        )
    ]
    text = _core.wide_area_xml(
        name,
        rows,
        _matrix("latency_s", latency_s, names, zero=True),
        _matrix("bandwidth_Bps", bandwidth_Bps, names, zero=False),
        None if price_per_GB is None else _matrix("price_per_GB", price_per_GB, names, zero=True),
        number("host_latency_s", host_latency_s, zero=True),
    )
    return Platform.from_xml(text, name, **placement)
