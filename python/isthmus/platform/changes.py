"""What if: platforms with other links, and which link pays most."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from numbers import Real
from typing import TYPE_CHECKING, Self

from .. import _core
from .._core import Algorithm, BadInput, Network
from ..arguments import Sizes, file_stem, number, whole, wrong_type
from ..descriptions import described
from ..frames import table
from .placed_network import PlacedNetwork
from .points import sizes_of_each

if TYPE_CHECKING:
    import pandas


@described
class Changes(PlacedNetwork):
    """The changes of a Platform."""

    def with_links(
        self,
        which: str | Callable[[str], bool],
        *,
        name: str | None = None,
        bandwidth: str | None = None,
        latency: str | None = None,
        bandwidth_Bps: float | None = None,
        latency_s: float | None = None,
        scale_bandwidth: float | None = None,
        scale_latency: float | None = None,
    ) -> Self:
        """Changes some links, for the models, the simulation and the emulation.

        Parameters
        ----------
        which : str or callable
            A pattern of names, as `"wan-*"`, or a function that holds for the names of the links to change. The name
            of a split-duplex link stands for both of its directions, `NAME_UP` and `NAME_DOWN`.
        name : str, optional
            The name of the new platform; when left out, its old name with the change.
        bandwidth, latency : str, optional
            As in the option --set of the commands: "x2", "+10%", "10Gbps"; "50ms", "x0.5".
        bandwidth_Bps : float, optional
            The bandwidth in bytes a second that these links get; their own when left out.
        latency_s : float, optional
            The latency in seconds that these links get; their own when left out.
        scale_bandwidth, scale_latency : float, optional
            Factors that bandwidth and latency are then multiplied with; 1 when left out.

        {Returns: same_network}

        {Raises BadInput: When no link or no figure is named, or a figure is out of range.}

        Examples
        --------
        >>> das.with_links("wan-*", bandwidth_Bps=2e6, scale_latency=0.5, name="das-later")
        <isthmus.Platform das-later: 16 hosts, 16 ranks>
        >>> das.with_links("wan-c0-c1", bandwidth="x2", latency="50ms")
        <isthmus.Platform das-4x4-wan-c0-c1-bandwidth-x2-latency-50ms: 16 hosts, 16 ranks>
        """
        if isinstance(which, str):
            patterns = [which + direction for direction in ("", "_UP", "_DOWN")]
            fits: Callable[[str], bool] = lambda link: any(
                link == pattern or fnmatchcase(link, pattern) for pattern in patterns
            )
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
            if value is not None:
                number(argument, value, zero="latency" in argument)
        links = [link["link"] for link in self.network.links()]
        changed = [link for link in links if fits(link)]
        if not changed:
            shown = repr(which) if isinstance(which, str) else "it"
            raise BadInput(f"which: {shown} fits no link of {self.name}; there are {self._some_links()} ...")
        if all(one is None for one in (bandwidth, latency, bandwidth_Bps, latency_s, scale_bandwidth, scale_latency)):
            raise BadInput(
                "with_links: no figure is given; bandwidth='x2', latency='50ms', bandwidth_Bps, latency_s, "
                "scale_bandwidth or scale_latency would be right"
            )
        texts = {
            "bandwidth": [bandwidth, _figure(bandwidth_Bps, "Bps"), _factor(scale_bandwidth)],
            "latency": [latency, _figure(latency_s, "s"), _factor(scale_latency)],
        }
        settings, changes = [], []
        for figure, values in texts.items():
            if values[0] is not None and not isinstance(values[0], str):
                unit = "Bps" if figure == "bandwidth" else "s"
                raise wrong_type(figure, values[0], f"a text such as 'x2', or a number as {figure}_{unit}=,")
            for text in (values[1], values[2], values[0]):
                names = [which] if isinstance(which, str) else changed
                settings += [f"{link}.{figure}={text}" for link in names if text is not None]
                changes += [f"{figure}-{text}"] if text is not None else []
        other = object.__new__(type(self))
        if name is None:
            name = _changed_name(self.name, [which, *changes] if isinstance(which, str) else changes)
        before = _renamed(self._unset or self.network, file_stem("name", name))
        other._unset, other._set_links = before, [*self._set_links, *settings]
        other.network = before.with_settings(other._set_links)
        other._xml, other._file = self._xml, self._file
        other._place(**self.placed_as())
        return other

    def _some_links(self) -> str:
        """Some names, those of long links first; one for both directions of a split-duplex link."""
        links = sorted(self.network.links(), key=lambda link: -float(link["latency_s"]))
        names = {link["link"].removesuffix("_UP").removesuffix("_DOWN"): None for link in links}
        return ", ".join(list(names)[:6])

    def sensitivity(
        self,
        what: str | Algorithm,
        bytes: Sizes | None = None,
        *,
        change_percent: float = 10,
        root: int = 0,
        element_bytes: int = 1,
    ) -> pandas.DataFrame:
        """Lists what more bandwidth or less latency of each link would save, by the replay.

        Both directions of a split-duplex link count as one link, and so do hosts' own links of one site.

        Parameters
        ----------
        {one_plan, bytes}
        change_percent : float
            How much more bandwidth, and how much less latency.
        {root, element_bytes}

        Returns
        -------
        pandas.DataFrame
            One row a link that messages cross, what saves most first: platform, collective, plan, bytes, ranks, root,
            seconds (of the plan), link, links (a list of their names), bandwidth_Bps, latency_s, change (a share),
            bandwidth_saves_s, latency_saves_s, chosen_anew_saves_s (both changes, and a plan chosen for them; only for
            the automatic choice and the first links).

        {Raises BadInput: When there is no such plan, or an argument is out of range.}

        Examples
        --------
        >>> gains = das.sensitivity("broadcast/magpie", "64Ki")
        >>> gains[["link", "bandwidth_saves_s", "latency_saves_s"]].head(3).round(6)
                  link  bandwidth_saves_s  latency_saves_s
        0    wan-c0-c3           0.001313         0.001000
        1  hosts of c0           0.000239         0.000001
        2  hosts of c3           0.000239         0.000005
        """
        if not isinstance(what, (str, Algorithm)):
            raise wrong_type("what", what, "a plan ('broadcast/kielmann:segment=64Ki') or an Algorithm")
        if isinstance(change_percent, bool) or not isinstance(change_percent, Real):
            raise wrong_type("change_percent", change_percent, "a number above 0 and below 100")
        if not 0 < change_percent < 100:
            raise BadInput(f"change_percent: {change_percent}; a number above 0 and below 100 would be right")
        plan = _core.checked_plan(str(what))
        root, element_bytes = whole("root", root, 0, self.ranks - 1), whole("element_bytes", element_bytes, 1, 2**40)
        rows = []
        for size in sizes_of_each([plan], bytes)[plan]:
            text = _core.sensitivity(self._core, plan, size, element_bytes, root, float(change_percent) / 100)
            rows += [json.loads(line) for line in text.splitlines()]
        names = [name for name in (rows[0] if rows else {}) if name != "set"]
        frame = table({name: [row[name] for row in rows] for name in names})
        if rows:
            frame["chosen_anew_saves_s"] = frame["chosen_anew_saves_s"].astype("float64")
        return frame


def _figure(value: float | None, unit: str) -> str | None:
    return None if value is None else f"{_digits(value)}{unit}"


def _factor(value: float | None) -> str | None:
    return None if value is None or value == 1 else f"x{_digits(value)}" if value > 0 else "0s"


def _digits(value: float) -> str:
    """As few as give this number."""
    return repr(float(value)).removesuffix(".0")


def _changed_name(name: str, changes: Sequence[str]) -> str:
    """A name for files and pictures that tells the changes, if it is not too long."""
    told = "-".join([name, *(re.sub(r"[^\w.%+-]", "", change).strip("-") for change in changes)])
    return told if len(told) <= 100 else f"{name}-changed"


def _renamed(network: Network, name: str) -> Network:
    return Network.from_json(json.dumps({**json.loads(network.to_json()), "name": name}))
