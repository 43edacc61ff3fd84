"""SimGrid XML of sites and the lines between them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .._core import BadInput
from ..descriptions import described


class Site(NamedTuple):
    """A cluster of equal hosts."""

    name: str
    hosts: int
    host_latency_s: float  #: of a host's link, each way
    host_bandwidth_Bps: float


class Line(NamedTuple):
    """A line in one direction. An infinite bandwidth: no line, but two places that are one."""

    source: str
    destination: str
    latency_s: float
    bandwidth_Bps: float


@described
def sites_xml(
    name: str,
    sites: Sequence[Site],
    routes: Mapping[tuple[str, str], Sequence[Line]],
    costs: Mapping[str, float],
) -> str:
    """The platform file: a cluster a site, a link for each line, a full-duplex one for two equal lines there and back.

    Parameters
    ----------
    {name}
    sites : list of Site
        Two or more.
    routes : dict of (str, str) to list of Line
        What a message crosses from a site to another, in order.
    costs : dict of str to float
        Properties of the platform, as header_bytes.

    Returns
    -------
    str
        The XML.
    """
    from xml.sax.saxutils import quoteattr  # imported here, since it brings modules of networks

    if len({site.name for site in sites}) < len(sites):
        raise BadInput("sites: two have the same name; different ones would be right")
    text = [
        "<?xml version='1.0'?>",
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
        '<platform version="4.1">',
        f'  <zone id={quoteattr(name)} routing="Full">',
        *(f'    <prop id="isthmus.{cost}" value="{value!r}"/>' for cost, value in costs.items()),
    ]
    for site in sites:
        rate = f"{site.host_bandwidth_Bps!r}Bps" if math.isfinite(site.host_bandwidth_Bps) else "1000000000000.0Bps"
        text.append(
            f'    <cluster id={quoteattr(site.name)} prefix={quoteattr(site.name + "-")} suffix="" '
            f'radical="0-{site.hosts - 1}" speed="1Gf" bw="{rate}" lat="{site.host_latency_s!r}s" '
            f"router_id={quoteattr(site.name + '-router')}/>"
        )
    known = {(line.source, line.destination): line for route in routes.values() for line in route}
    known = {ends: line for ends, line in known.items() if math.isfinite(line.bandwidth_Bps)}
    links: dict[tuple[str, str], str] = {}  # what a route writes for a line
    for (a, b), line in known.items():
        back = known.get((b, a))
        same = back is not None and (back.latency_s, back.bandwidth_Bps) == (line.latency_s, line.bandwidth_Bps)
        if same and (a, b) in links:
            continue
        link = quoteattr(f"wan-{a}-{b}")
        text.append(
            f'    <link id={link} bandwidth="{line.bandwidth_Bps!r}Bps" latency="{line.latency_s!r}s" '
            f'sharing_policy="{"SPLITDUPLEX" if same else "SHARED"}"/>'
        )
        links[a, b] = f"<link_ctn id={link}" + (' direction="UP"/>' if same else "/>")
        if same:
            links[b, a] = f'<link_ctn id={link} direction="DOWN"/>'
    for (a, b), route in routes.items():
        crossed = "".join(links[line.source, line.destination] for line in route if line[:2] in links)
        text.append(
            f"    <zoneRoute src={quoteattr(a)} dst={quoteattr(b)} gw_src={quoteattr(a + '-router')} "
            f'gw_dst={quoteattr(b + "-router")} symmetrical="NO">{crossed}</zoneRoute>'
        )
    return "\n".join([*text, "  </zone>", "</platform>", ""])
