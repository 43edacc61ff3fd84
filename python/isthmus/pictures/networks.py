"""The network as a map, and the messages of a schedule on it."""

from __future__ import annotations

import math
from typing import Any

from matplotlib.axes import Axes

from .. import _core
from .._core import BadInput
from ..descriptions import described
from ..platform import Platform
from ..schedule import Schedule
from .labels import title_plan, wrapped_title
from .layout import AxesLike, Drawn, Sheet, Width, sheet
from .style import INK, LOCAL, PANEL, SOFT, WIDE_AREA, in_look

Place = tuple[float, float]
INCHES = 1 / 96  # of a unit of the map
LETTER = 0.9 * 11.5  # the height of letters in the map's units
LETTER_WIDE = 0.52 * LETTER
LEAST_WIDE = 280  # units for the title
CAPTION = 30  # units for a line of notes and the title


class Map:
    """The sites of a platform on axes, at the same places as in the report and in ``Platform.svg()``."""

    def __init__(self, platform: Platform, ax: AxesLike, width: Width, notes: list[str] | None = None) -> None:
        self.drawing: dict[str, Any] = platform.network.drawing()
        self.notes = self.drawing["notes"] if notes is None else notes
        middle, high = self.drawing["width"] / 2, self.drawing["height"] + CAPTION + 14 * len(self.notes)
        wide = max(2 * middle, LEAST_WIDE, LETTER_WIDE * max(map(len, self.notes), default=0) + 16)
        self.sheet: Sheet = sheet(1, ax, width, (wide * INCHES, high * INCHES))
        if self.sheet.picture is not None:
            drawn_wide = self.sheet.picture.get_size_inches()[0]
            self.sheet.picture.set_size_inches(drawn_wide, drawn_wide * high / wide)
            self.sheet.panel_inches = (drawn_wide, drawn_wide * high / wide)
        self.points = 72 * min(self.sheet.panel_inches[0] / wide, self.sheet.panel_inches[1] / high)  # of a unit
        self.axis: Axes = self.sheet.axes[0]
        self.axis.set_axis_off()
        self.axis.set_aspect("equal")
        self.axis.set_xlim(middle - wide / 2, middle + wide / 2)
        self.axis.set_ylim(self.drawing["height"] + 14 * len(self.notes), 0)
        for number, note in enumerate(self.notes):
            self.text(middle, self.drawing["height"] + 8 + 14 * number, note, color=SOFT)

    def text(self, x: float, y: float, text: str, scale: float = 1, **more: Any) -> None:
        more = {"ha": "center", "va": "center", "zorder": 6, **more}
        self.axis.text(x, y, text, fontsize=max(4.5, scale * LETTER * self.points), **more)

    def draw_sites(self, faint: bool = False) -> None:
        from matplotlib.patches import FancyBboxPatch

        for site in self.drawing["sites"]:
            x, y, wide, high = site["x"], site["y"], site["width"], site["height"]
            box = FancyBboxPatch(
                (x - wide / 2 + 8, y - high / 2 + 8),
                wide - 16,
                high - 16,
                boxstyle="round,pad=8,rounding_size=10",
                facecolor=PANEL,
                edgecolor=SOFT,
                linewidth=1,
                zorder=2,
            )
            self.axis.add_patch(box)
            self.text(x, y - high / 2 + 15, site["name"], 1.1, fontweight="bold", color=INK)
            if not faint:
                self.text(x, y + high / 2 - 13, site["note"], color=SOFT)

    def draw_hosts(self, places: dict[str, Place], gateways: set[str]) -> None:
        size = (11.0 * self.points) ** 2
        crowd = max(1.0, max(len(site["hosts"]) for site in self.drawing["sites"]) / 16)
        for is_gateway, colour in ((False, LOCAL), (True, INK)):
            dots = [place for host, place in places.items() if (host in gateways) == is_gateway]
            if dots:
                self.axis.scatter(*zip(*dots), s=size / crowd, color=colour, zorder=4, linewidth=0)

    def host_places(self) -> dict[str, Place]:
        return {name: (x, y) for site in self.drawing["sites"] for x, y, name, _ in site["hosts"]}

    def gateways(self) -> set[str]:
        return {name for site in self.drawing["sites"] for _, _, name, is_gateway in site["hosts"] if is_gateway}


@in_look
@described
def network_map(platform: Platform, *, ax: AxesLike = None, width: Width = None) -> Drawn:
    """Draws sites, their hosts, and the links between sites: wider is faster.

    It is the picture of the report and of ``Platform.svg()``: a site that is reached through others has no line of its
    own, and a dot is where links meet outside the sites.

    Parameters
    ----------
    platform : Platform
        The platform that is drawn.
    {one_ax, width}

    Returns
    -------
    Picture
        A figure with one panel, or `ax`; latencies and bandwidths stand at the lines, or below.

    Examples
    --------
    >>> isthmus.pictures.network_map(das).savefig("network.svg")
    """
    if not isinstance(platform, Platform):
        raise TypeError(f"platform: {platform!r} is {type(platform).__name__}; a Platform would be right")
    drawn = Map(platform, ax, width)
    axis = drawn.axis
    for x1, y1, x2, y2, wide in drawn.drawing["wires"]:
        axis.plot([x1, x2], [y1, y2], color=WIDE_AREA, linewidth=wide * drawn.points, zorder=1, solid_capstyle="round")
    drawn.draw_sites()
    drawn.draw_hosts(drawn.host_places(), drawn.gateways())
    ports = [site["port"] for site in drawn.drawing["sites"] if site["port"]]
    square = (10 * drawn.points) ** 2
    if ports:
        axis.scatter(*zip(*ports), s=square, marker="s", color=INK, zorder=5, linewidth=0)
    if drawn.drawing["crossings"]:
        axis.scatter(*zip(*drawn.drawing["crossings"]), s=1.4 * square, color=INK, zorder=5, linewidth=0)
    for x, y, lines in drawn.drawing["labels"]:
        background = {"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9}
        drawn.text(x, y, "\n".join(lines), color=INK, bbox=background, linespacing=1.15)
    axis.set_title(wrapped_title(f"{platform.name}: {len(platform.network)} hosts", drawn.sheet.panel_inches[0]))
    return drawn.sheet.result()


def _all_host_places(platform: Platform, drawn: Map) -> dict[str, Place]:
    """Those of the map; hosts of a site that are not all drawn there stand closer."""
    places = drawn.host_places()
    hosts_of = dict(platform.network.site_map()["sites"])
    for site in drawn.drawing["sites"]:
        hosts = hosts_of[site["name"]]
        if len(hosts) == len(site["hosts"]):
            continue
        wide, high = site["width"] - 24, site["height"] - 46
        columns = max(1, math.ceil(math.sqrt(len(hosts) * wide / high)))
        rows = math.ceil(len(hosts) / columns)
        for i, host in enumerate(hosts):
            places[host] = (
                site["x"] - wide / 2 + wide * (i % columns + 0.5) / columns,
                site["y"] - site["height"] / 2 + 28 + high * (i // columns + 0.5) / rows,
            )
    return places


@in_look
@described
def tree_on_map(platform: Platform, schedule: Schedule, *, ax: AxesLike = None, width: Width = None) -> Drawn:
    """Draws who sends to whom on the map of the hosts.

    Parameters
    ----------
    platform : Platform
        The platform that the schedule is for.
    {schedule, one_ax, width}

    Returns
    -------
    Picture
        A figure with one panel, or `ax`; messages between sites stand out, wider for more bytes.

    {Raises BadInput: When the schedule is for another number of ranks.}

    Examples
    --------
    >>> isthmus.pictures.tree_on_map(das, das.schedule("broadcast/magpie", "64Ki")).savefig("tree.svg")
    """
    if not isinstance(schedule, Schedule):
        raise TypeError(f"schedule: {schedule!r} is {type(schedule).__name__}; a Schedule would be right")
    if not isinstance(platform, Platform):
        raise TypeError(f"platform: {platform!r} is {type(platform).__name__}; a Platform would be right")
    if schedule.ranks != platform.ranks:
        raise BadInput(
            f"schedule: is for {schedule.ranks} ranks; one of {platform.name}, {platform.ranks}, would be right"
        )
    title = f"{title_plan(schedule.plan)}, {_core.format_bytes(schedule.bytes)}"
    totals = schedule.totals()
    wide_bytes = _core.format_bytes(totals["wide_area_bytes"])
    crossing = f"{totals['wide_area_messages']} between sites ({wide_bytes})"
    drawn = Map(platform, ax, width, [f"{totals['messages']} messages, {crossing}"])
    axis, places, hosts = drawn.axis, _all_host_places(platform, drawn), platform._core.hosts
    drawn.draw_sites(faint=True)
    drawn.draw_hosts(places, drawn.gateways())
    axis.set_title(wrapped_title(title, drawn.sheet.panel_inches[0]))
    pairs = schedule.census("pair")
    most = max(1, pairs["bytes"].max() if len(pairs) else 1)
    for pair in pairs.itertuples():
        a, b = places[hosts[pair.source]], places[hosts[pair.destination]]
        if a == b:
            continue
        wide = platform.topology.group_at(pair.source, 1) != platform.topology.group_at(pair.destination, 1)
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
    if schedule.root < len(hosts):
        axis.scatter(
            *[[c] for c in places[hosts[schedule.root]]],
            s=(19 * drawn.points) ** 2,
            facecolor="none",
            edgecolor="#1b1b1b",
            linewidth=1.3,
            zorder=6,
        )
    return drawn.sheet.result()
