"""Platforms as tables and graphs, compared, and changed."""

import pickle

import pytest
from conftest import PLATFORMS

import isthmus

pandas = pytest.importorskip("pandas")


def test_platforms_are_equal_by_content(das, small, tmp_path):
    text = (PLATFORMS / "kielmann2000/das-4x4.xml").read_text()
    (tmp_path / "das-4x4.xml").write_text(text)
    again = isthmus.Platform(tmp_path / "das-4x4.xml")
    assert again == das and hash(again) == hash(das) and pickle.loads(pickle.dumps(das)) == das
    assert len({das, again, small, das.placed()}) == 2
    assert das != small and das != das.placed(ranks=8) and das != das.with_links("wan-*", bandwidth="x2")
    assert das.placed(ranks_per_host=2, ranks=16) != das and das != "das-4x4"
    explicit = das.placed(placement=das.placement().host.tolist())
    assert explicit == das and hash(explicit) == hash(das)


def test_matrices_have_the_figures_of_routes(das):
    latencies, bandwidths = das.latencies(), das.bandwidths()
    assert list(latencies.index) == list(latencies.columns) == ["c0", "c1", "c2", "c3"]
    for source, a in zip(latencies.index, range(0, 16, 4)):
        for destination, b in zip(latencies.columns, range(0, 16, 4)):
            if a != b:
                route = das.network.route(f"{source}-0", f"{destination}-0")
                assert latencies.loc[source, destination] == route["latency_s"]
                assert bandwidths.loc[source, destination] == route["bandwidth_Bps"]
    routes = das.routes()
    assert len(routes) == 12 and routes.pivot(index="source", columns="destination", values="latency_s").loc[
        "c2", "c0"
    ] == pytest.approx(latencies.loc["c2", "c0"])
    assert len(das.routes(between="hosts")) == 16 * 15
    assert das.routes().links[0] == das.network.route("c0-0", "c1-0")["links"]


def test_a_single_host_and_a_missing_route_have_no_figure(small):
    assert small.latencies().loc["c0"].isna().tolist() == [True, False, False, False]
    apart = isthmus.Platform(PLATFORMS / "aumage2003/sci-myrinet.xml")
    assert len(apart.routes("hosts")) < len(apart.network) * (len(apart.network) - 1)


def test_matrices_make_platforms(das):
    latency_s, bandwidth_Bps = das.latencies(), das.bandwidths()
    latency_s.loc["c0", "c3"], bandwidth_Bps.loc["c3", "c0"] = 0.08, 5e5
    shuffled = latency_s.sample(frac=1, random_state=1)
    sites = list(latency_s.index)
    area = isthmus.wide_area(sites, latency_s=shuffled, bandwidth_Bps=bandwidth_Bps, hosts=2, host_latency_s=0)
    assert area.latencies().loc["c0", "c3"] == pytest.approx(0.08)
    assert area.bandwidths().loc["c3", "c0"] == 5e5 and area.bandwidths().loc["c0", "c3"] == 1e6
    clusters = isthmus.clusters(2, 4, wan_latency_s=latency_s, wan_bandwidth_Bps=bandwidth_Bps.to_numpy())
    found = clusters.latencies()
    assert found.loc["c0", "c3"] == pytest.approx(0.08, rel=1e-3) and found.loc["c3", "c0"] == pytest.approx(
        0.01, rel=0.01
    )
    assert clusters.bandwidths().loc["c3", "c0"] == 5e5
    modelled, simulated = clusters.predict("broadcast/chain", "64Ki", models="replay"), clusters.simulate(
        "broadcast/chain", "64Ki"
    )
    assert simulated.seconds[0] == pytest.approx(modelled.seconds[0], rel=0.01)
    with pytest.raises(isthmus.BadInput, match="wan_latency_s: a row and a column for each of the 3 sites"):
        isthmus.clusters(2, 3, wan_latency_s=[[0, 1], [1, 0]], wan_bandwidth_Bps=1e6)
    with pytest.raises(isthmus.BadInput, match="wan_latency_s, from c0 to c1: -1"):
        isthmus.clusters(2, 2, wan_latency_s=[[0, -1], [1, 0]], wan_bandwidth_Bps=1e6)


@pytest.mark.parametrize("hosts", [[3, 4, 5], [5], [3, 300, 260], [3] * 12])
def test_clusters_are_those_of_their_xml(hosts):
    """The network is made without SimGrid where it can be; the file for SimGrid has the same."""
    sites = range(len(hosts))
    one_way = [[0.01 + 0.001 * min(a, b) + (0.5 if a > b == 0 else 0) for b in sites] for a in sites]
    for latency_s in (0.01, one_way):
        clusters = isthmus.clusters(hosts, wan_latency_s=latency_s, wan_bandwidth_Bps=1e6, header_bytes=7, name="some")
        assert isthmus.Platform(clusters.file()) == clusters
        assert pickle.loads(pickle.dumps(clusters)) == clusters
        faster = clusters.with_links("c0_link_*", bandwidth="x2", name="some")
        assert isthmus.Platform(faster.file()) == clusters


def test_a_million_hosts_are_asked_about_like_few():
    """Every step has to be linear in hosts for this to end."""
    clusters = isthmus.clusters(1 << 16, 16, wan_latency_s=0.01, wan_bandwidth_Bps=1e6)
    assert clusters.ranks == 1 << 20
    assert len(clusters.network.to_json()) < 100_000
    times = clusters.predict("broadcast/multilevel:segment=none", 8, models="replay")
    assert 0 < times.bound_seconds[0] <= times.seconds[0] < 2 * times.bound_seconds[0]


def test_graphs_of_networkx_there_and_back(das):
    networkx = pytest.importorskip("networkx")
    graph = das.to_networkx()
    assert networkx.is_strongly_connected(graph) and graph.nodes["c0"]["hosts"] == 4
    assert graph.edges["c0", "c1"] == {"latency_s": 0.01, "bandwidth_Bps": 1e6}
    back = isthmus.Platform.from_networkx(graph)
    assert back.name == "das-4x4" and back.latencies().equals(das.latencies())
    assert back.bandwidths().equals(das.bandwidths())
    for plan in ("allreduce/ring", "broadcast/multilevel", "alltoall/linear"):
        times = [one.predict(plan, "1,64Ki", models="replay").seconds.tolist() for one in (das, back)]
        assert times[0] == pytest.approx(times[1])
    hosts = das.to_networkx("hosts")
    length = networkx.shortest_path_length(hosts, "c0-1", "c3-2", weight="latency_s")
    assert length == pytest.approx(das.network.route("c0-1", "c3-2")["latency_s"])
    assert isthmus.Platform.from_networkx(hosts) == back


def test_a_graph_has_no_routes_so_that_a_quicker_detour_is_taken():
    pytest.importorskip("networkx")
    latency_s = [[0, 0.1, 0.01], [0.1, 0, 0.01], [0.01, 0.01, 0]]
    direct = isthmus.wide_area("abc", latency_s=latency_s, bandwidth_Bps=[[1e6] * 3] * 3)
    detour = isthmus.Platform.from_networkx(direct.to_networkx())
    assert (
        direct.network.route("a-0", "b-0")["latency_s"] > 0.1 > 0.03 > detour.network.route("a-0", "b-0")["latency_s"]
    )
    for method in (direct.to_networkx, isthmus.Platform.from_networkx):
        assert "where a detour is quicker" in " ".join(method.__doc__.split())


def test_a_graph_with_crossings_is_simulated_along_its_shortest_ways():
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph(name="tree", header_bytes=100.0)
    graph.add_node("hub", kind="crossing")
    for site, latency_s in (("a", 0.001), ("b", 0.002), ("c", 0.004)):
        graph.add_node(site, hosts=2)
        graph.add_edge(site, "hub", latency_s=latency_s, bandwidth_Bps=1e7)
    graph.add_edge("a", "b", latency_s=0.1, bandwidth_Bps=1e9)  # longer than the way over the hub
    tree = isthmus.Platform.from_networkx(graph, host_latency_s=0.0)
    assert tree.ranks == 6 and tree.latencies().loc["a", "b"] == pytest.approx(0.003)
    assert tree.bandwidths().loc["a", "b"] == 1e7
    modelled, simulated = tree.predict("broadcast/chain", "64Ki", models="replay"), tree.simulate(
        "broadcast/chain", "64Ki"
    )
    assert simulated.seconds[0] == pytest.approx(modelled.seconds[0], rel=0.01)
    (crossing,) = [node for node, about in tree.to_networkx().nodes(data=True) if about["kind"] == "crossing"]
    assert crossing == "crossing"


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda graph: graph.edges["a", "b"].pop("latency_s"), "the edge from a to b has latency_s None; a number"),
        (lambda graph: graph.add_node("far"), "no way from a to far; a connected graph"),
    ],
)
def test_graphs_without_figures_or_ways_are_refused(change, says):
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph(networkx.Graph([("a", "b", {"latency_s": 0.01, "bandwidth_Bps": 1e6})]))
    change(graph)
    with pytest.raises(isthmus.BadInput, match=says):
        isthmus.Platform.from_networkx(graph)


def test_a_link_whose_name_has_signs_of_patterns_can_be_changed(tmp_path):
    text = (PLATFORMS / "kielmann2000/das-4x4.xml").read_text()
    (tmp_path / "signs.xml").write_text(text.replace("wan-c0-c1", "wan[1]"))
    changed = isthmus.Platform(tmp_path / "signs.xml").with_links("wan[1]", latency_s=0.5)
    assert changed.links().latency_s.max() == 0.5


def test_changed_platforms_are_simulated_and_stored_as_changed(das, tmp_path):
    changed = das.with_links("wan-c0-*", bandwidth="x2", latency="+50%").with_links("wan-c1-c2", latency_s=0.05)
    assert changed.name == "das-4x4-wan-c0-bandwidth-x2-latency-+50%-wan-c1-c2-latency-0.05s"
    assert changed.links().latency_s.max() == 0.05
    assert das.with_links(lambda link: True, bandwidth="x2", latency="x0.5").name == "das-4x4-bandwidth-x2-latency-x0.5"
    (modelled,) = changed.predict("broadcast/magpie", "64Ki", models="replay").seconds
    frame = changed.simulate("broadcast/magpie", "64Ki")
    assert frame.seconds[0] == pytest.approx(modelled) and frame.platform[0] == changed.name
    store = isthmus.Store(tmp_path / "s.sqlite")
    arguments = {"bytes": "64Ki", "sources": ["replay", "smpi"], "store": store, "progress": False}
    isthmus.sweep([das, changed], "broadcast", "magpie", **arguments)
    assert len(store) == 4
    from isthmus.sweeps import ask, missing_batches

    question = ask([das, changed], "broadcast", "magpie", "64Ki", ["replay", "smpi"])
    assert missing_batches(question, store.by_question(), 1) == []
    again = pickle.loads(pickle.dumps(changed)).placed(ranks=8)
    assert again.simulate("broadcast/magpie", "1Ki").seconds[0] == pytest.approx(
        again.predict("broadcast/magpie", "1Ki", models="replay").seconds[0]
    )


def test_files_beside_a_changed_platform_are_still_found(tmp_path):
    (tmp_path / "rates.txt").write_text("0 1e6\n5 1e5\n")
    text = (PLATFORMS / "kielmann2000/das-4x1.xml").read_text()
    (tmp_path / "own.xml").write_text(
        text.replace('<link id="wan-c0-c1"', '<link id="wan-c0-c1" bandwidth_file="rates.txt"')
    )
    own = isthmus.Platform(tmp_path / "own.xml")
    changed = own.with_links("wan-c0-c2", latency="x2")
    assert changed.file() != own.file() and changed != own
    assert changed.simulate("broadcast/linear", "1Ki").seconds[0] > own.simulate("broadcast/linear", "1Ki").seconds[0]
    for question in (own.bound, own.explain, own.predict):
        with pytest.warns(isthmus.IsthmusWarning, match="own: .* leave out that link wan-c0-c1") as caught:
            question("broadcast", "1Ki")
        assert [warning.message.kind for warning in caught] == ["left_out"]
        assert caught[0].filename == __file__


def test_sensitivity_is_what_a_changed_platform_saves(das):
    gains = das.sensitivity("broadcast/magpie", "64Ki,1Mi")
    assert gains.bytes.unique().tolist() == [65536, 1 << 20]
    first = gains.iloc[0]
    faster = das.with_links(first.link, bandwidth="+10%").schedule("broadcast/magpie", "64Ki").replay()
    assert first.seconds - faster == pytest.approx(first.bandwidth_saves_s)
    assert gains.chosen_anew_saves_s.isna().all()
    assert das.sensitivity("broadcast", "64Ki").chosen_anew_saves_s.notna().sum() == 3
    assert len(das.sensitivity("barrier", 0)) > 0
    with pytest.raises(isthmus.BadInput, match="change_percent: 100; a number above 0 and below 100"):
        das.sensitivity("broadcast", 1, change_percent=100)


def test_link_loads_are_the_bytes_of_the_messages(das):
    schedule = das.schedule("allreduce/ring", "64Ki")
    loads = schedule.link_loads()
    wide = loads[loads.wide_area]
    assert wide.bytes.sum() == schedule.totals()["wide_area_bytes"] and set(wide.link) < set(das.links().link)
    assert (loads.share <= 1).all() and loads.busy_s.is_monotonic_decreasing


@pytest.mark.slow
def test_changed_platforms_are_emulated(small):
    changed = small.with_links("wan-*", bandwidth="x4", latency="20ms")
    emulated = changed.emulate("broadcast/binomial", "1Mi")
    (modelled,) = changed.predict("broadcast/binomial", "1Mi", models="replay").seconds
    assert emulated.seconds[0] == pytest.approx(modelled, rel=0.05) and emulated.platform[0] == changed.name
