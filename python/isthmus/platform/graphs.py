"""Platforms as graphs of networkx, and back."""

from __future__ import annotations

import json
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

from .._core import BadInput
from ..arguments import number, one_of, only_placement, whole
from ..descriptions import described
from ..needs import need
from .placed_network import PlacedNetwork
from .sites_xml import Line, Site, sites_xml

if TYPE_CHECKING:
    import networkx


@described
class Graphs(PlacedNetwork):
    """The graphs of a Platform."""

    def to_networkx(self, nodes: str = "sites") -> networkx.DiGraph:
        """Makes a graph of the sites and the links between them.

        It has no routes: from_networkx() takes the least latency, which is another way than the platform's where a
        detour is quicker.

        Parameters
        ----------
        nodes : str
            "sites": sites, and crossings where links meet outside of them; "hosts": hosts too, each joined to its site.

        Returns
        -------
        networkx.DiGraph
            Nodes have a kind ("site", "crossing" or "host"), sites their number of hosts. Edges have latency_s and
            bandwidth_Bps; each direction is an edge. The attributes of the graph are the platform's name and what its
            messages cost (header_bytes and the like).

        {Raises Missing: Without networkx.}

        Examples
        --------
        >>> graph = das.to_networkx()
        >>> graph.number_of_nodes(), graph.edges["c0", "c1"]["bandwidth_Bps"]
        (4, 1000000.0)
        >>> isthmus.Platform.from_networkx(graph).latencies().equals(das.latencies())
        True
        """
        networkx = need("networkx", "a graph")
        one_of("nodes", nodes, ("sites", "hosts"))
        drawn = self.network.site_map()
        transport = json.loads(self.network.to_json())["transport"]
        graph = networkx.DiGraph(name=self.name, **transport)
        names = []
        for site, hosts in drawn["sites"]:
            own = self._own_link(hosts)
            graph.add_node(site, kind="site", hosts=len(hosts), **own)
            names.append(site)
            for host in hosts if nodes == "hosts" else ():
                graph.add_node(host, kind="host", site=site)
                for a, b in ((site, host), (host, site)):
                    graph.add_edge(a, b, latency_s=own["host_latency_s"], bandwidth_Bps=own["host_bandwidth_Bps"])
        for place, (members, _) in enumerate(drawn["crossings"]):
            names.append(f"crossing-{place}" if len(drawn["crossings"]) > 1 else "crossing")
            graph.add_node(names[-1], kind="crossing", sites=[names[site] for site in members])
        for line in drawn["lines"]:
            a, b = names[line["from"]], names[line["to"]]
            for ends, back in (((a, b), ""), ((b, a), "back_")):
                latency_s, bandwidth_Bps = line[back + "latency_s"], line[back + "bandwidth_Bps"]
                none = latency_s is None  # the site has no link of its own to the crossing
                graph.add_edge(
                    *ends, latency_s=0.0 if none else latency_s, bandwidth_Bps=float("inf") if none else bandwidth_Bps
                )
        return graph

    def _own_link(self, hosts: list[str]) -> dict[str, float]:
        """Half of the way between two hosts of a site; of a single host, what its route has beyond the site's links."""
        if len(hosts) > 1:
            route = self.network.route(hosts[0], hosts[1])
            if route["links"]:
                return {"host_latency_s": route["latency_s"] / 2, "host_bandwidth_Bps": route["bandwidth_Bps"]}
        return {"host_latency_s": 0.0, "host_bandwidth_Bps": float("inf")}

    @classmethod
    def from_networkx(
        cls,
        graph: networkx.Graph,
        *,
        hosts: int = 4,
        host_latency_s: float = 25e-6,
        host_bandwidth_Bps: float = 1.25e9,
        name: str | None = None,
        **placement: Any,
    ) -> Self:
        """Makes a platform of a graph: a node is a site, an edge a link; messages take the least latency.

        Of a graph of to_networkx() that is another way than its platform's where a detour is quicker.

        Parameters
        ----------
        graph : networkx.Graph or networkx.DiGraph
            Edges have latency_s and bandwidth_Bps; those of an undirected graph carry as much in either direction at
            once. Nodes may have hosts, host_latency_s and host_bandwidth_Bps; those of kind "crossing" or of no hosts
            only pass messages on, those of kind "host" are left out, since their site has their number.
        hosts : int
            How many hosts a site has that has no number of its own.
        host_latency_s, host_bandwidth_Bps : float
            The link of each host, one way, where a site has no such figures.
        name : str, optional
            The name of the platform; that of the graph when left out.
        {any_placement}

        Returns
        -------
        Platform
            It can be modelled, simulated and emulated.

        {Raises BadInput: When an edge has no figures, or two sites no way between them, with their names.}

        Examples
        --------
        >>> import networkx
        >>> ring = networkx.cycle_graph(5)
        >>> networkx.set_edge_attributes(ring, {edge: {"latency_s": 0.01, "bandwidth_Bps": 1e8} for edge in ring.edges})
        >>> isthmus.Platform.from_networkx(ring, hosts=2, name="ring")
        <isthmus.Platform ring: 10 hosts, 10 ranks>
        """
        only_placement(cls.from_networkx, placement)
        networkx = need("networkx", "a graph")
        if not isinstance(graph, networkx.Graph):
            raise TypeError(f"graph: {type(graph).__name__}; a networkx.Graph or DiGraph would be right")
        if graph.is_multigraph():
            raise BadInput("graph: has parallel edges; a Graph or DiGraph with one edge a pair would be right")
        drawn = networkx.DiGraph()  # in the order of the graph, which is that of the links
        drawn.add_nodes_from((node, about) for node, about in graph.nodes(data=True) if about.get("kind") != "host")
        for a, b, about in graph.edges(data=True):
            if a in drawn and b in drawn:
                drawn.add_edges_from([(a, b, about)] if graph.is_directed() else [(a, b, about), (b, a, about)])
        for a, b, about in drawn.edges(data=True):
            for figure in ("latency_s", "bandwidth_Bps"):
                value = about.get(figure)
                if isinstance(value, bool) or not isinstance(value, Real) or not float(value) >= 0:
                    raise BadInput(f"graph: the edge from {a} to {b} has {figure} {value!r}; a number would be right")
        numbers = {
            node: 0 if about.get("kind") == "crossing" else whole("hosts", about.get("hosts", hosts), 0, 1 << 20)
            for node, about in drawn.nodes(data=True)
        }
        sites = {
            node: Site(
                str(node),
                numbers[node],
                number("host_latency_s", about.get("host_latency_s", host_latency_s), zero=True),
                number("host_bandwidth_Bps", about.get("host_bandwidth_Bps", host_bandwidth_Bps), infinite=True),
            )
            for node, about in drawn.nodes(data=True)
            if numbers[node] > 0
        }
        lines = {
            (a, b): Line(
                str(a),
                str(b),
                number(f"latency_s from {a} to {b}", about["latency_s"], zero=True),
                number(f"bandwidth_Bps from {a} to {b}", about["bandwidth_Bps"], infinite=True),
            )
            for a, b, about in drawn.edges(data=True)
        }
        routes: dict[tuple[str, str], list[Line]] = {}
        for a in sites:
            paths = networkx.single_source_dijkstra_path(drawn, a, weight="latency_s")
            for b in sites:
                if a == b:
                    continue
                if b not in paths:
                    raise BadInput(f"graph: no way from {a} to {b}; a connected graph would be right")
                routes[str(a), str(b)] = [lines[hop] for hop in zip(paths[b], paths[b][1:])]
        title = name or str(graph.graph.get("name") or "graph")
        costs = {key: float(value) for key, value in graph.graph.items() if key != "name" and isinstance(value, Real)}
        return cls.from_xml(sites_xml(title, list(sites.values()), routes, costs), title, **placement)
