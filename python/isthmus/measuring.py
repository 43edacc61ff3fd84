"""Networks measured rather than described, by the program `isthmus`: calibrate and discover."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._core import BadInput, Network
from .arguments import list_of, one_of, one_size, seconds, whole, wrong_type
from .frames import table
from .platform import Platform
from .programs import run_isthmus

if TYPE_CHECKING:
    import pandas

WORLDS = ("smpi", "emulated")


class Calibration:
    """P-LogP parameters measured between pairs of hosts, one pair for each class of routes; made by calibrate()."""

    def __init__(self, platform: Platform, measured: dict[str, Any]) -> None:
        self.platform = platform  #: the platform with the measured costs in place of its own
        self.measured = measured  #: everything that was measured, as `isthmus calibrate` writes it

    def frame(self) -> pandas.DataFrame:
        """One row a class of routes and size: class, from, to, latency_s, bytes, gap_s, send_overhead_s,
        receive_overhead_s; each with `_half_width_s` of its confidence interval at 95 %."""
        rows: list[dict[str, Any]] = []
        for one in self.measured["classes"]:
            latency_s, latency_half_width_s = one["measured"]["latency"]
            for size in one["measured"]["sizes"]:
                row: dict[str, Any] = {
                    "class": one["name"],
                    "from": one["from"],
                    "to": one["to"],
                    "latency_s": latency_s,
                    "latency_half_width_s": latency_half_width_s,
                    "bytes": size["bytes"],
                }
                for key in ("gap", "send_overhead", "receive_overhead"):
                    row[key + "_s"], row[key + "_half_width_s"] = size[key]
                rows.append(row)
        return table({key: [row[key] for row in rows] for key in rows[0]})

    def parameters(self) -> pandas.DataFrame:
        """What the simpler models take, one row a class: class, alpha_s (Hockney), latency_s, overhead_s, gap_s,
        gap_s_per_byte (LogGP)."""
        rows = [
            {"class": one["name"], "alpha_s": one["hockney"]["alpha_s"], **one["loggp"]}
            for one in self.measured["classes"]
        ]
        return table({key: [row[key] for row in rows] for key in rows[0]})

    def _repr_html_(self) -> str:
        return str(self.frame().to_html(index=False))

    def __repr__(self) -> str:
        return (
            f"<isthmus.Calibration {self.platform.name}: {', '.join(one['name'] for one in self.measured['classes'])}>"
        )


def _networks(arguments: Sequence[str]) -> str:
    """The network that a command writes with -o."""
    with tempfile.TemporaryDirectory(prefix="isthmus-") as folder:
        file = Path(folder) / "network.json"
        run_isthmus([*arguments, "-o", str(file)], lambda line: None)
        return file.read_text(encoding="utf-8")


def _platform(platform: object) -> Platform:
    if not isinstance(platform, Platform):
        raise wrong_type("platform", platform, "a Platform")
    return platform


def _named(text: str, name: str) -> Network:
    network = json.loads(text)
    network["name"] = name
    return Network.from_json(json.dumps(network))


def calibrate(
    platform: Platform,
    world: str = "smpi",
    *,
    most: int | str = "1Mi",
    repetitions: int = 20,
    members: int = 3,
    substrate: str = "auto",
    timeout_s: float = 600,
) -> Calibration:
    """Measures P-LogP parameters of a platform's classes of links, `smpi` or `emulated`.

    `most` is the largest size measured, `repetitions` those of each measurement at most, `members` the pairs of hosts
    of each class that are to agree. Raises Refused where they do not, or where it is too noisy.
    """
    platform = _platform(platform)
    text = _networks(
        [
            "calibrate",
            platform.file(),
            "--in",
            one_of("world", world, WORLDS),
            "--most",
            str(one_size(most, "most")),
            "--repetitions",
            str(whole("repetitions", repetitions, 3, 10000)),
            "--members",
            str(whole("members", members, 1, 100)),
            "--substrate",
            substrate,
            "--timeout",
            repr(seconds("timeout_s", timeout_s)),
        ]
    )
    network = _named(text, f"{platform.name}-calibrated")
    return Calibration(Platform(network, **platform.placed_as()), json.loads(text)["calibration"])


def discover(
    platform: Platform | None = None,
    world: str = "smpi",
    *,
    launcher: Sequence[str] = (),
    alike: float = 2,
    most: int | str = "1Mi",
    repetitions: int = 10,
    most_in_full: int = 32,
    substrate: str = "auto",
    timeout_s: float = 600,
) -> Platform:
    """The network that ranks find between their hosts by measuring: groups by latency, and the links between them.

    The ranks are those of a platform, `smpi` or `emulated`; or, without one, those that `launcher` starts on the
    machines at hand (`["mpirun", "--hostfile", "hosts"]`). Distances that differ by less than the factor `alike` are of
    one level. Up to `most_in_full` hosts every pair is measured, beyond a sample. The hosts come in the order of the
    ranks.
    """
    if isinstance(alike, bool) or not isinstance(alike, (int, float)) or not 1 <= alike <= 1000:
        raise BadInput(f"alike: {alike!r}; a number from 1 to 1000 would be right")
    options = [
        "--alike",
        repr(float(alike)),
        "--most",
        str(one_size(most, "most")),
        "--repetitions",
        str(whole("repetitions", repetitions, 1, 10000)),
        "--in-full",
        str(whole("most_in_full", most_in_full, 2, 10**6)),
        "--timeout",
        repr(seconds("timeout_s", timeout_s)),
    ]
    if platform is None:
        words = list_of("launcher", launcher, (str,), "['mpirun', '--hostfile', 'hosts']") if launcher else ["mpirun"]
        with tempfile.TemporaryDirectory(prefix="isthmus-") as folder:
            file = Path(folder) / "here.json"
            run_isthmus(["discover", "--here", *options, "-o", str(file), "--", *words], lambda line: None)
            return Platform(Network.read(str(file)))
    if launcher:
        raise BadInput("launcher: belongs to the machines at hand; either it or a platform would be right")
    platform = _platform(platform)
    text = _networks(
        [
            "discover",
            platform.file(),
            "--in",
            one_of("world", world, WORLDS),
            "--substrate",
            substrate,
            *options,
            *platform.placement_arguments(),
        ]
    )
    return Platform(_named(text, f"{platform.name}-discovered"))
