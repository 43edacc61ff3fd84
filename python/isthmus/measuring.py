"""Measuring of networks by the program `isthmus`: calibrate and discover."""

from __future__ import annotations

import inspect
import json
import tempfile
from collections.abc import Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from ._core import BadInput, Network
from .arguments import list_of, one_of, one_size, seconds, substrate_words, whole, with_old_names, wrong_type
from .descriptions import described
from .frames import table
from .html import Svg
from .platform import Platform
from .programs import run_isthmus

if TYPE_CHECKING:
    import pandas

WORLDS = ("smpi", "emulated")
ROUTE_KEYS = ("from", "to", "empty_s", "found_empty_s", "rate_Bps", "found_rate_Bps", "message_Bps", "lost")
LOAD_KEYS = ("streams", "from", "to", "rate_Bps", "found_rate_Bps")


@described
class Calibration:
    """P-LogP parameters measured between pairs of hosts, one pair for each class of routes; made by calibrate().

    {Parameters: calibrated, calibration}

    {Attributes: calibrated, calibration}

    Examples
    --------
    >>> isthmus.calibrate(das)  # doctest: +SKIP
    <isthmus.Calibration das-4x4-calibrated: site, wide-area>
    """

    def __init__(self, platform: Platform, measured: dict[str, Any]) -> None:
        self.platform = platform
        self.measured = measured

    def frame(self) -> pandas.DataFrame:
        """Lists what was measured.

        Returns
        -------
        pandas.DataFrame
            One row a class of routes and size: class, from, to, latency_s, bytes, gap_s, send_overhead_s,
            receive_overhead_s; each of the times with the half width of its confidence interval at 95 %
            (latency_half_width_s and so on).

        Examples
        --------
        >>> isthmus.calibrate(das).frame().plot("bytes", "gap_s")  # doctest: +SKIP
        """
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
        """Lists what the simpler models take.

        Returns
        -------
        pandas.DataFrame
            One row a class of routes: class, alpha_s (Hockney), latency_s, overhead_s, gap_s, gap_s_per_byte (LogGP).

        Examples
        --------
        >>> isthmus.calibrate(das).parameters().set_index("class").loc["site", "latency_s"]  # doctest: +SKIP
        """
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


@described
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
    """Measures P-LogP parameters of a platform's classes of links.

    Parameters
    ----------
    platform : Platform
        The platform whose network is measured.
    world : str
        Where the ranks run: "smpi" or "emulated".
    {most}
    repetitions : int
        How often each measurement is repeated at most.
    members : int
        How many pairs of hosts of each class have to agree.
    {substrate}
    timeout_s : float
        Seconds that the run may take.

    Returns
    -------
    Calibration
        What was measured, and the platform with these costs.

    Raises
    ------
    Refused
        When the pairs of a class do not agree, or the machine is too noisy.
    {wrong_argument}

    Examples
    --------
    >>> measured = isthmus.calibrate(das, "smpi", most="64Ki")  # doctest: +SKIP
    >>> measured.platform.predict("broadcast", "1..64Ki")  # doctest: +SKIP
    """
    platform = _platform(platform)
    text = _networks(
        [
            "calibrate",
            *platform._file_arguments(),
            "--in",
            one_of("world", world, WORLDS),
            "--most",
            str(one_size(most, "most")),
            "--repetitions",
            str(whole("repetitions", repetitions, 3, 10000)),
            "--members",
            str(whole("members", members, 1, 100)),
            *substrate_words(world, substrate),
            "--timeout",
            repr(seconds("timeout_s", timeout_s)),
        ]
    )
    network = _named(text, f"{platform.name}-calibrated")
    return Calibration(Platform(network, **platform.placed_as()), json.loads(text)["calibration"])


@with_old_names(most_in_full="max_in_full")
@described
def discover(
    platform: Platform | None = None,
    world: str = "smpi",
    *,
    launcher: Sequence[str] = (),
    alike: float = 2,
    rule: str = "levels",
    most: int | str = "1Mi",
    repetitions: int = 10,
    max_in_full: int = 32,
    rounds: bool = False,
    datagrams: bool = True,
    under_load: bool = True,
    answer_s: float = 0,
    budget_s: float = 0,
    without_silent: bool = False,
    common_clock: bool = False,
    substrate: str = "auto",
    timeout_s: float = 600,
) -> Platform:
    """Measures the network between hosts: groups of hosts by latency, and the links between them.

    Parameters
    ----------
    platform : Platform, optional
        The platform on which ranks measure; default: the real machines on which `launcher` starts ranks.
    world : str
        Where the ranks of the platform run: "smpi" or "emulated".
    launcher : list of str
        The command that starts ranks on real machines, as `["mpirun", "--hostfile", "hosts"]`.
    alike : float
        A group is nearer than what is around it by this factor or more.
    rule : str
        How groups are found: "levels" (by `alike`), or "eco" or "eco:1.2", one level of subnets by the 20 % rule of
        Lowekamp 1995 with this threshold.
    {most}
    repetitions : int
        How often each measurement is repeated.
    max_in_full : int
        Up to this number of hosts every pair is measured, beyond it a sample of pairs.
    rounds : bool
        Disjoint pairs measure at the same time; else one pair after the other.
    datagrams : bool
        Trains of datagrams measure the lines between distant hosts, where messages alone mislead if frames are lost.
    under_load : bool
        Several pairs at once are measured too, for links that they share.
    answer_s : float
        Seconds within which every rank must answer; 0: any time. Simulated ranks always answer: refused there.
    budget_s : float
        Seconds for all measurements; 0: any time.
    without_silent : bool
        Hosts that do not answer are left out; else Refused names them.
    common_clock : bool
        On real machines: all hosts read one clock, which tells the latencies of both directions apart.
    {substrate}
    timeout_s : float
        Seconds that the run may take.

    Returns
    -------
    Platform
        The network as it was found, its hosts in the order of the ranks.

    {Raises: wrong_argument, failed_run}

    Examples
    --------
    >>> two = isthmus.clusters(2, 2, wan_latency_s=10e-3, wan_bandwidth_Bps=1e6)
    >>> isthmus.discover(two, most="1Ki").groups().query("level == 1").ranks.tolist()
    [[0, 1], [2, 3]]
    """
    options = _discovery_options(
        alike=alike,
        rule=rule,
        most=most,
        repetitions=repetitions,
        max_in_full=max_in_full,
        rounds=rounds,
        datagrams=datagrams,
        under_load=under_load,
        answer_s=answer_s,
        budget_s=budget_s,
        without_silent=without_silent,
        common_clock=common_clock,
        timeout_s=timeout_s,
    )
    found, _ = _discovered(platform, world, launcher, substrate, options)
    return found


@overload
def discover_with_routes(
    platform: Platform | None = None, world: str = "smpi", *, loads: Literal[False] = False, **options: Any
) -> tuple[Platform, pandas.DataFrame]:
    ...


@overload
def discover_with_routes(
    platform: Platform | None = None, world: str = "smpi", *, loads: Literal[True], **options: Any
) -> tuple[Platform, pandas.DataFrame, pandas.DataFrame]:
    ...


@described
def discover_with_routes(
    platform: Platform | None = None,
    world: str = "smpi",
    *,
    launcher: Sequence[str] = (),
    substrate: str = "auto",
    loads: bool = False,
    **options: Any,
) -> tuple[Platform, pandas.DataFrame] | tuple[Platform, pandas.DataFrame, pandas.DataFrame]:
    """Measures the network between hosts, as discover() does, and tells how well it fits each measurement.

    Parameters
    ----------
    platform : Platform, optional
        As in discover(), like all that follow.
    world : str
        Where the ranks of the platform run.
    launcher : list of str
        The command that starts ranks on real machines.
    substrate : str
        Where the network is emulated.
    loads : bool
        The tests of several streams at once are returned too.
    **options : object
        All other arguments of discover().

    Returns
    -------
    Platform
        The network as it was found.
    pandas.DataFrame
        One row a pair of hosts that was measured: from, to, empty_s (half a round trip of an empty message),
        found_empty_s (what the network gives for it), rate_Bps (of one message alone, or of the line if that was
        measured; NaN: not measured), found_rate_Bps, message_Bps (of one message, where the line carries more), lost
        (the share of the frames that did not arrive), latency_residual and rate_residual (what was found over what was
        measured, less 1). residuals_svg() draws them.
    pandas.DataFrame
        With `loads`: one row a test of several streams at once: streams (their number), from and to of the stream that
        is furthest off, rate_Bps (what all carried together), found_rate_Bps (what they carry in the network, where
        they share links fairly), rate_residual (NaN where nothing was carried).

    {Raises: wrong_argument, failed_run}

    Examples
    --------
    >>> two = isthmus.clusters(2, 2, wan_latency_s=10e-3, wan_bandwidth_Bps=1e6)
    >>> found, routes = isthmus.discover_with_routes(two, most="1Ki")
    >>> bool(routes.latency_residual.abs().max() < 0.01)
    True
    """
    defaults = {
        name: one.default
        for name, one in inspect.signature(discover).parameters.items()
        if name not in ("platform", "world", "launcher", "substrate")
    }
    if unknown := sorted(set(options) - set(defaults)):
        raise TypeError(f"{unknown[0]}: no argument of discover(); {', '.join(sorted(defaults))} would be right")
    found, measured = _discovered(platform, world, launcher, substrate, _discovery_options(**{**defaults, **options}))
    frame = table({key: [route.get(key, float("nan")) for route in measured["routes"]] for key in ROUTE_KEYS})
    frame["latency_residual"] = frame["found_empty_s"] / frame["empty_s"] - 1
    frame["rate_residual"] = frame["found_rate_Bps"] / frame["rate_Bps"] - 1
    if not loads:
        return found, frame
    at_once = table({key: [load[key] for load in measured["loads"]] for key in LOAD_KEYS})
    at_once["rate_residual"] = at_once["found_rate_Bps"] / at_once["rate_Bps"].where(at_once["rate_Bps"] > 0) - 1
    return found, frame, at_once


def residuals_svg(found: Platform, routes: pandas.DataFrame) -> Svg:
    """Draws a network that was found, and how far it is from what was measured between each two hosts.

    Parameters
    ----------
    found : Platform
        The network, from discover_with_routes().
    routes : pandas.DataFrame
        The measurements that came with it, or some of them.

    Returns
    -------
    Svg
        The map of the network above two matrices, of latency and rate; sites are outlined.

    Raises
    ------
    BadInput
        When a row is of a host that the network does not have.

    Examples
    --------
    >>> two = isthmus.clusters(2, 2, wan_latency_s=10e-3, wan_bandwidth_Bps=1e6)
    >>> isthmus.residuals_svg(*isthmus.discover_with_routes(two, most="1Ki")).save("residuals.svg")
    """
    if not isinstance(found, Platform):
        raise wrong_type("found", found, "a Platform")
    if not all(column in getattr(routes, "columns", ()) for column in ROUTE_KEYS):
        raise wrong_type("routes", routes, "the table of discover_with_routes()")
    rows = [
        {key: value for key, value in row.items() if value == value}
        for row in routes[list(ROUTE_KEYS)].to_dict("records")
    ]
    return Svg(found.network.residuals_svg(json.dumps(rows)))


def _discovery_options(
    *,
    alike: float,
    rule: str,
    most: int | str,
    repetitions: int,
    max_in_full: int,
    rounds: bool,
    datagrams: bool,
    under_load: bool,
    answer_s: float,
    budget_s: float,
    without_silent: bool,
    common_clock: bool,
    timeout_s: float,
) -> list[str]:
    if isinstance(alike, bool) or not isinstance(alike, Real) or not 1 <= alike <= 1000:
        raise BadInput(f"alike: {alike!r}; a number from 1 to 1000 would be right")
    options = [
        "--alike",
        repr(float(alike)),
        "--rule",
        str(rule),
        "--max-bytes",
        str(one_size(most, "most")),
        "--repetitions",
        str(whole("repetitions", repetitions, 1, 10000)),
        "--in-full",
        str(whole("max_in_full", max_in_full, 2, 10**6)),
        "--timeout",
        repr(seconds("timeout_s", timeout_s)),
    ]
    for name, limit_s in (("answer", answer_s), ("budget", budget_s)):
        if limit_s:
            options += [f"--{name}", repr(seconds(f"{name}_s", limit_s))]
    flags = {
        "--rounds": rounds,
        "--no-datagrams": not datagrams,
        "--no-load": not under_load,
        "--without-silent": without_silent,
        "--common-clock": common_clock,
    }
    return options + [flag for flag, is_set in flags.items() if is_set]


def _discovered(
    platform: Platform | None, world: str, launcher: Sequence[str], substrate: str, options: Sequence[str]
) -> tuple[Platform, dict[str, Any]]:
    """The network that was found, and what was measured as the command writes it."""
    if platform is None:
        words = list_of("launcher", launcher, (str,), "['mpirun', '--hostfile', 'hosts']") if launcher else ["mpirun"]
        with tempfile.TemporaryDirectory(prefix="isthmus-") as folder:
            file = Path(folder) / "here.json"
            run_isthmus(["discover", "--here", *options, "-o", str(file), "--", *words], lambda line: None)
            text = file.read_text(encoding="utf-8")
            return Platform(Network.read(str(file))), json.loads(text)["discovery"]
    if launcher:
        raise BadInput("launcher: belongs to the machines at hand; either it or a platform would be right")
    platform = _platform(platform)
    text = _networks(
        [
            "discover",
            *platform.arguments(),
            "--in",
            one_of("world", world, WORLDS),
            *substrate_words(world, substrate),
            *options,
        ]
    )
    return Platform(_named(text, f"{platform.name}-discovered")), json.loads(text)["discovery"]
