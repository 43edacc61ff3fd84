"""The network as a map, and the messages of a schedule on it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .. import _core
from ..platform import Platform
from ..schedule import Schedule
from .style import LOCAL, PANEL, SOFT, WIDE_AREA, Picture, colours, in_look, new_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Place = tuple[float, float]
MAX_LABELS = 15


def _sites(platform: Platform) -> dict[str, list[str]]:
    return dict(platform.network.site_map()["sites"])


def _layout(platform: Platform) -> tuple[dict[str, Place], dict[str, Place], float]:
    """Sites on a circle, hosts on a circle in each: places of sites, places of hosts, radius of a site."""
    sites = _sites(platform)
    count = len(sites)
    radius = 0.9 if count == 1 else 0.5 if count == 2 else min(0.42, 0.8 * math.sin(math.pi / count))
    centres: dict[str, Place] = {}
    places: dict[str, Place] = {}
    for i, (site, hosts) in enumerate(sites.items()):
        angle = math.pi / 2 + math.pi / count - 2 * math.pi * i / count if count > 2 else math.pi * (1 - i)
        x, y = (0.0, 0.0) if count == 1 else ((1.0 if count == 2 else 1.25) * math.cos(angle), math.sin(angle))
        centres[site] = (x, y)
        inner = 0 if len(hosts) == 1 else 0.62 * radius
        for j, host in enumerate(hosts):
            turn = math.pi / 2 - 2 * math.pi * j / len(hosts)
            places[host] = (x + inner * math.cos(turn), y + inner * math.sin(turn))
    return centres, places, radius


def _canvas(platform: Platform, title: str) -> tuple[Picture, Axes, dict[str, Place], dict[str, Place], float]:
    from matplotlib.patches import Circle

    centres, places, radius = _layout(platform)
    reach = max(max(abs(x), abs(y)) for x, y in centres.values()) + radius + 0.25
    low, high = min(y for _, y in centres.values()) - radius - 0.2, max(y for _, y in centres.values()) + radius + 0.2
    picture, axes = new_picture(1, 1, 6.2, max(2.4, 6.2 * (high - low) / (2 * reach) + 0.6))
    axis = axes[0, 0]
    axis.set_axis_off()
    axis.set_aspect("equal")
    hue = colours(centres)
    hosts_of = _sites(platform)
    for site, (x, y) in centres.items():
        axis.add_patch(Circle((x, y), radius, facecolor=PANEL, edgecolor=SOFT, linewidth=1, zorder=2))
        above = y >= -1e-9
        axis.annotate(
            site,
            (x, y + (radius if above else -radius)),
            (0, 5 if above else -5),
            textcoords="offset points",
            ha="center",
            va="bottom" if above else "top",
            fontweight="bold",
            zorder=6,
        )
        dots = [places[host] for host in hosts_of[site]]
        size = max(8.0, 70.0 / math.sqrt(len(dots)))
        axis.scatter(*zip(*dots), s=size, color=hue[site], zorder=4, linewidth=0)
    axis.set_title(title)
    axis.set_xlim(-reach, reach)
    axis.set_ylim(low, high)
    return picture, axis, centres, places, radius


def _rim(a: Place, b: Place, around_a: float, around_b: float) -> tuple[Place, Place]:
    """Where the line from a to b leaves the circle around a and enters that around b."""
    distance = math.dist(a, b)
    first, last = around_a / distance, 1 - around_b / distance
    return (
        (a[0] + (b[0] - a[0]) * first, a[1] + (b[1] - a[1]) * first),
        (a[0] + (b[0] - a[0]) * last, a[1] + (b[1] - a[1]) * last),
    )


@in_look
def network_map(platform: Platform) -> Picture:
    """Draws sites, their hosts, and the links between sites: wider is faster.

    A site that is reached through others has no line of its own; a dot is where links meet outside the sites.

    Parameters
    ----------
    platform : Platform
        The platform that is drawn.

    Returns
    -------
    Picture
        A figure with one panel; latencies and bandwidths stand at the lines, or below.

    Examples
    --------
    >>> isthmus.pictures.network_map(das).savefig("network.svg")
    """
    if not isinstance(platform, Platform):
        raise TypeError(f"platform: {platform!r} is {type(platform).__name__}; a Platform would be right")
    picture, axis, centres, _, radius = _canvas(platform, f"{platform.name}: {len(platform.network)} hosts")
    sites = _sites(platform)
    drawn = platform.network.site_map()
    ends = list(centres.values())
    for members, text in drawn["crossings"]:
        ends.append(
            (
                sum(ends[site][0] for site in members) / len(members),
                sum(ends[site][1] for site in members) / len(members),
            )
        )
        axis.scatter(*[[c] for c in ends[-1]], s=60, color=WIDE_AREA, zorder=4, linewidth=0)
    lines = drawn["lines"]
    texts = [line["text"] for line in lines if line["text"]]
    fastest = max((line["bandwidth_Bps"] for line in lines if line["bandwidth_Bps"]), default=1)
    each = len(lines) <= MAX_LABELS and (len(set(texts)) > 1 or len(lines) == 1)
    crossing = 0  # labels of lines through the middle stand off it, alternately on either side
    for line in lines:
        to_site = line["to"] < len(sites)
        (x1, y1), (x2, y2) = _rim(ends[line["from"]], ends[line["to"]], radius, radius if to_site else 0)
        rate = line["bandwidth_Bps"] or fastest
        width = 1 + 2.5 * max(0.0, 1 + math.log10(rate / fastest) / 2)
        axis.plot([x1, x2], [y1, y2], color=WIDE_AREA, linewidth=width, zorder=3, solid_capstyle="round")
        if each and line["text"]:
            crosses = math.hypot((x1 + x2) / 2, (y1 + y2) / 2) < 0.15 and len(sites) > 2
            crossing += crosses
            share = (0.3 if crossing % 2 else 0.7) if crosses else 0.5
            axis.annotate(
                line["text"].replace("; ", "\n"),
                (x1 + share * (x2 - x1), y1 + share * (y2 - y1)),
                ha="center",
                va="center",
                fontsize=7.5,
                zorder=5,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2, "alpha": 0.9},
            )
    notes = [] if each or not texts else [f"between sites: {text}" for text in sorted(set(texts))[:4]]
    notes += [f"where links meet: {text}" for _, text in drawn["crossings"] if text]
    inside = {
        _core.format_seconds(r["latency_s"]) + ", " + _core.format_rate(r["bandwidth_Bps"])
        for hosts in sites.values()
        if len(hosts) > 1
        for r in [platform.network.route(hosts[0], hosts[1])]
        if r["links"]
    }
    notes += [f"inside a site: {text}" for text in sorted(inside)[:4]]
    axis.annotate("\n".join(notes), (0.5, 0), xycoords="axes fraction", ha="center", va="top", fontsize=8, color=SOFT)
    return picture


@in_look
def tree_on_map(platform: Platform, schedule: Schedule) -> Picture:
    """Draws who sends to whom on the map of the hosts.

    Parameters
    ----------
    platform : Platform
        The platform that the schedule is for.
    schedule : Schedule
        The schedule whose messages are drawn.

    Returns
    -------
    Picture
        A figure with one panel; messages between sites stand out, wider for more bytes.

    Examples
    --------
    >>> isthmus.pictures.tree_on_map(das, das.schedule("broadcast/magpie", "64Ki")).savefig("tree.svg")
    """
    if not isinstance(schedule, Schedule):
        raise TypeError(f"schedule: {schedule!r} is {type(schedule).__name__}; a Schedule would be right")
    title = f"{schedule.plan}, {_core.format_bytes(schedule.bytes)}"
    picture, axis, _, places, _ = _canvas(platform, title)
    hosts = platform._core.hosts
    pairs = schedule.census("pair")
    most = max(1, pairs["bytes"].max() if len(pairs) else 1)
    wide_messages = 0
    for pair in pairs.itertuples():
        a, b = places[hosts[pair.source]], places[hosts[pair.destination]]
        if a == b:
            continue
        wide = platform.topology.group_at(pair.source, 1) != platform.topology.group_at(pair.destination, 1)
        wide_messages += pair.messages if wide else 0
        axis.annotate(
            "",
            b,
            a,
            zorder=5 if wide else 3,
            arrowprops={
                "arrowstyle": "-|>",
                "mutation_scale": 9 if wide else 6,
                "shrinkA": 3,
                "shrinkB": 3,
                "color": WIDE_AREA if wide else LOCAL,
                "linewidth": 0.6 + (1.6 if wide else 0.7) * pair.bytes / most,
                "connectionstyle": "arc3,rad=0.08",
            },
        )
    totals = schedule.totals()
    wide_bytes = _core.format_bytes(totals["wide_area_bytes"])
    axis.annotate(
        f"{totals['messages']} messages, {wide_messages} between sites ({wide_bytes})",
        (0.5, 0),
        xycoords="axes fraction",
        ha="center",
        va="top",
        fontsize=8,
        color=SOFT,
    )
    if schedule.root < len(hosts):
        axis.scatter(
            *[[c] for c in places[hosts[schedule.root]]],
            s=130,
            facecolor="none",
            edgecolor="#1b1b1b",
            linewidth=1.3,
            zorder=6,
        )
    return picture
