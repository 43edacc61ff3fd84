"""What a platform has, as tables: hosts, links, groups, ranks; and figures from site to site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._core import BadInput
from ..arguments import one_of
from ..frames import table
from ..needs import need
from .placed_network import PlacedNetwork

if TYPE_CHECKING:
    import pandas


class Tables(PlacedNetwork):
    """The tables of a Platform."""

    def hosts(self) -> pandas.DataFrame:
        """Lists the hosts, gateways included.

        Returns
        -------
        pandas.DataFrame
            One row a host: host, zones (from the outside inwards), cores, speed_flops, gateway.

        Examples
        --------
        >>> das.hosts()[["host", "zones", "cores"]].head(2)
           host zones  cores
        0  c0-0  [c0]      1
        1  c0-1  [c0]      1
        """
        return _rows(self.network.hosts())

    def links(self) -> pandas.DataFrame:
        """Lists the links.

        Returns
        -------
        pandas.DataFrame
            One row a link: link, bandwidth_Bps, latency_s, sharing (shared or fatpipe).

        Examples
        --------
        >>> das.links().query("link == 'wan-c0-c1_UP'")[["link", "bandwidth_Bps", "latency_s"]].values.tolist()
        [['wan-c0-c1_UP', 1000000.0, 0.01]]
        """
        return _rows(self.network.links())

    def groups(self) -> pandas.DataFrame:
        """Lists the groups of the topology.

        Returns
        -------
        pandas.DataFrame
            One row a group: group (its number), name, level, parent (a number, -1 for everybody), ranks (a list).

        Examples
        --------
        >>> das.groups().query("level == 1")[["name", "ranks"]]
          name             ranks
        1   c0      [0, 1, 2, 3]
        2   c1      [4, 5, 6, 7]
        3   c2     [8, 9, 10, 11]
        4   c3  [12, 13, 14, 15]
        """
        return _rows(self.topology.groups())

    def placement(self) -> pandas.DataFrame:
        """Lists where the ranks are.

        Returns
        -------
        pandas.DataFrame
            One row a rank: rank, host.

        Examples
        --------
        >>> das.placement().host[:5].tolist()
        ['c0-0', 'c0-1', 'c0-2', 'c0-3', 'c1-0']
        """
        hosts = self._core.hosts
        return table({"rank": list(range(len(hosts))), "host": hosts})

    def latencies(self) -> pandas.DataFrame:
        """Gives the latency from each site to each.

        Returns
        -------
        pandas.DataFrame
            One row a site that sends, one column a site that receives, both by name: seconds, one way, of the route
            between the first hosts of both; on the diagonal between the first two of the site. NaN where there is no
            route, or one host only.

        Examples
        --------
        >>> das.latencies().loc["c0"].round(6).tolist()
        [2e-05, 0.01002, 0.01002, 0.01002]
        """
        return self._between_sites("latency_s")

    def bandwidths(self) -> pandas.DataFrame:
        """Gives the bandwidth from each site to each.

        Returns
        -------
        pandas.DataFrame
            One row a site that sends, one column a site that receives, both by name: bytes a second, of the narrowest
            link of the route between the first hosts of both; on the diagonal between the first two of the site. NaN
            where there is no route, or one host only.

        Examples
        --------
        >>> das.bandwidths().loc["c0", "c1"]
        1000000.0
        """
        return self._between_sites("bandwidth_Bps")

    def routes(self, between: str = "sites") -> pandas.DataFrame:
        """Lists the routes.

        Parameters
        ----------
        between : str
            "sites": between the first hosts of each ordered pair; "hosts": of each ordered pair of hosts.

        Returns
        -------
        pandas.DataFrame
            One row a route: source and destination (sites or hosts), links (a list of their names, in order), latency_s
            (their sum), bandwidth_Bps (the least). Pairs without a route have no row.

        Raises
        ------
        BadInput
            When `between` is something else.

        Examples
        --------
        >>> das.routes().query("source == 'c0'")[["destination", "latency_s", "bandwidth_Bps"]]
          destination  latency_s  bandwidth_Bps
        0          c1    0.01002      1000000.0
        1          c2    0.01002      1000000.0
        2          c3    0.01002      1000000.0
        """
        one_of("between", between, ("sites", "hosts"))
        first = (
            self._first_hosts() if between == "sites" else {row["host"]: row["host"] for row in self.network.hosts()}
        )
        found = [
            (source, destination, route)
            for source, a in first.items()
            for destination, b in first.items()
            if source != destination
            for route in [self._route(a, b)]
            if route is not None
        ]
        columns: dict[str, list[Any]] = {
            "source": [row[0] for row in found],
            "destination": [row[1] for row in found],
            **{name: [row[2][name] for row in found] for name in ("links", "latency_s", "bandwidth_Bps")},
        }
        return table(columns)

    def _first_hosts(self) -> dict[str, str]:
        return {site: hosts[0] for site, hosts in self.network.site_map()["sites"]}

    def _route(self, source: str, destination: str) -> dict[str, Any] | None:
        try:
            return self.network.route(source, destination)
        except BadInput:  # there is none
            return None

    def _between_sites(self, figure: str) -> pandas.DataFrame:
        pandas = need("pandas", "a table")
        sites = dict(self.network.site_map()["sites"])
        rows = []
        for a, from_hosts in sites.items():
            row = []
            for b, to_hosts in sites.items():
                to = to_hosts[0] if a != b else to_hosts[1] if len(to_hosts) > 1 else None
                route = None if to is None else self._route(from_hosts[0], to)
                row.append(float("nan") if route is None or not route["links"] else route[figure])
            rows.append(row)
        index = pandas.Index(sites, name="source")
        return pandas.DataFrame(rows, index=index, columns=pandas.Index(sites, name="destination"))


def _rows(rows: list[dict[str, Any]]) -> pandas.DataFrame:
    return table({key: [row[key] for row in rows] for key in (rows[0] if rows else {})})
