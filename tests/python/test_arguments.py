"""Arguments as users pass them: numbers of numpy, sizes with blanks, what is refused and how; warnings."""

import math
import multiprocessing
import pickle
from pathlib import Path

import pytest
from conftest import SOURCE

import isthmus

numpy = pytest.importorskip("numpy")
pytest.importorskip("pandas")
networkx = pytest.importorskip("networkx")
WAN = {"wan_latency_s": 0.01, "wan_bandwidth_Bps": 1e6}
APART = [[0, math.inf], [1, 0]]


def ring(**figures):
    graph = networkx.cycle_graph(3)
    networkx.set_edge_attributes(graph, {edge: figures for edge in graph.edges})
    return graph


TAKEN = [
    (lambda p: p.predict("broadcast", 2 ** numpy.arange(3), models="replay").bytes.tolist(), [1, 2, 4]),
    (lambda p: p.predict("broadcast", numpy.int64(8), models="replay").bytes.tolist(), [8]),
    (lambda p: p.bound("broadcast", " 64 KiB, 1 Mi .. 2 Mi").bytes.tolist(), [1 << 16, 1 << 20, 1 << 21]),
    (lambda p: isthmus.tune(p, "broadcast", 8, roots=numpy.int64(3)).frame().root.tolist(), [3]),
    (lambda p: isthmus.sweep(p, "broadcast", bytes=8, roots=numpy.arange(2), progress=False).root.tolist(), [0, 1]),
    (lambda p: p.with_links("wan-*", bandwidth_Bps=numpy.int64(2)).links().bandwidth_Bps.min(), 2),
    (lambda p: p.with_links("wan-*", scale_latency=numpy.float32(0.5)).links().latency_s.max(), 0.005),
    (lambda p: len(p.sensitivity("barrier", 0, change_percent=numpy.int64(10))) > 0, True),
    (lambda p: p.predict("barrier", models="replay").bytes.tolist(), [0]),
    (lambda p: p.predict(["barrier", "broadcast"], 8, models="replay").bytes.tolist(), [0, 8]),
    (lambda p: p.explain("MPI_Barrier").bytes.unique().tolist(), [0]),
    (lambda p: p.bound("barrier").bytes.tolist(), [0]),
    (lambda p: p.sensitivity("barrier").bytes.unique().tolist(), [0]),
    (lambda p: p.simulate("barrier/dissemination").bytes.tolist(), [0]),
    (lambda p: p.schedule("barrier/dissemination").bytes, 0),
    (lambda p: p.choose("barrier").bytes, 0),
    (lambda p: len(isthmus.tune(p, "barrier").plan("barrier")) > 0, True),
    (lambda p: isthmus.tune(p, "barrier", "7,8").frame().bytes.tolist(), [0]),  # as the command does
    (lambda p: isthmus.sweep(p, ["barrier", "reduce"], bytes=7, progress=False).bytes.tolist(), [0, 7]),
    (lambda p: isthmus.Topology.flat(numpy.int64(3)).size, 3),
    (lambda p: p.topology.group_at(numpy.int32(5), level=numpy.int64(1)), 2),
    (lambda p: isthmus.Topology.from_paths(numpy.array([["a"], ["b"]])).size, 2),
    (lambda p: isthmus.PLogP(1, numpy.array([[0, 1]]), [[0, 1]], ((0, 1),)).gap_s(numpy.int64(8)), 1),
    (lambda p: len(isthmus.Network.read(SOURCE / "platforms/kielmann2000/das-4x1.xml")), 4),
    (lambda p: isthmus.arguments.seconds("timeout_s", numpy.int64(3)), 3),
    (lambda p: isthmus.pictures.layout.inches_of(numpy.float32(3.5)), 3.5),
    (lambda p: isthmus.clusters(numpy.int64(3), 4, **WAN).ranks, 12),
    (lambda p: isthmus.clusters([3, 5], 2, **{**WAN, "wan_bandwidth_Bps": numpy.int64(10**6)}).ranks, 8),
    (lambda p: isthmus.clusters([3, 5], **{**WAN, "wan_latency_s": numpy.float32(0.01)}).ranks, 8),
    (
        lambda p: isthmus.wide_area(
            "ab", latency_s=numpy.full((2, 2), 0.01), bandwidth_Bps=numpy.full((2, 2), 10**6),
            hosts=numpy.array([2, 3]), host_bandwidth_Bps=numpy.array([1e6, 2e6]),
        ).ranks,
        5,
    ),
    (
        lambda p: isthmus.Platform.from_networkx(
            ring(latency_s=numpy.float32(0.01), bandwidth_Bps=numpy.int64(10**6)), hosts=numpy.int64(2)
        ).ranks,
        6,
    ),
]  # fmt: skip


def test_sizes_of_a_barrier_and_missing_ones_are_refused(das):
    table = isthmus.tune(das, "barrier")
    methods = (
        das.predict,
        das.explain,
        das.bound,
        das.sensitivity,
        das.simulate,
        das.emulate,
        das.schedule,
        das.choose,
    )
    for method in (*methods, table.plan):
        with pytest.raises(isthmus.BadInput, match="a barrier of 7 elements: it carries no data, 0 would be right"):
            method("barrier", bytes=7)
        with pytest.raises(
            TypeError, match="bytes: is missing; sizes for broadcast, e.g. '1,64Ki,4Mi', would be right"
        ):
            method("broadcast")


@pytest.mark.parametrize("call, answer", TAKEN, ids=range(len(TAKEN)))
def test_numbers_of_numpy_and_sizes_with_blanks_are_taken(das, call, answer):
    assert call(das) == pytest.approx(answer)


REFUSED = [
    (lambda p: isthmus.Topology.flat(3.5), TypeError, "size: 3.5 is float; a whole number would be right"),
    (lambda p: isthmus.Topology.flat(None), TypeError, "size: None is NoneType; a whole number would be right"),
    (lambda p: isthmus.Topology.flat(2**70), isthmus.BadInput, f"size: {2**70}; a whole number nearer to 0"),
    (lambda p: isthmus.Topology.flat(), TypeError, "flat(): missing a required argument: 'size'"),
    (lambda p: isthmus.Topology.flat(ranks=3), TypeError, "flat(): missing a required argument: 'size'"),
    (lambda p: isthmus.Topology.from_paths(["a", 3]), TypeError, "paths: ['a', 3] is list; a list of lists of texts"),
    (lambda p: isthmus.Topology.from_paths(numpy.arange(2)), TypeError, "paths: array([0, 1]) is ndarray; a list of"),
    (lambda p: isthmus.Topology.read(3), TypeError, "file: 3 is int; a text or a path would be right"),
    (lambda p: isthmus.Network.read(None), TypeError, "file: None is NoneType; a text or a path would be right"),
    (lambda p: isthmus.Network.links("a"), TypeError, "self: 'a' is str; a Network would be right"),
    (lambda p: p.network.route("c0-0", 1), TypeError, "to_host: 1 is int; a text would be right"),
    (lambda p: p.network.with_settings("w=1"), TypeError, "settings: 'w=1' is str; a list of texts would be right"),
    (lambda p: p.topology.group_at(0, "1"), TypeError, "level: '1' is str; a whole number would be right"),
    (lambda p: p.plogp(0, 4).gap_s("1Ki"), TypeError, "bytes: '1Ki' is str; a number would be right"),
    (lambda p: isthmus.PLogP(0, [1], [], []), TypeError, "send_overhead_s: [1] is list; a list of tuples (a number, a"),
    (lambda p: p.schedule("broadcast", 8).export(3), TypeError, "as_: 3 is int; a text would be right"),
    (lambda p: isthmus.collective(3), TypeError, "collective: 3 is int; a text would be right"),
    (lambda p: isthmus.best("a"), TypeError, "frame: 'a' is str; a table of sweep() or predict() would be right"),
    (lambda p: isthmus.wide_area(2, latency_s=1, bandwidth_Bps=1), TypeError, "sites: 2 is int; a list of names"),
    (lambda p: isthmus.residuals_svg(p, 2), TypeError, "routes: 2 is int; the table of discover_with_routes()"),
    (lambda p: isthmus.models.search_kielmann("das", 8), TypeError, "platform: 'das' is str; a Platform would be"),
    (lambda p: p.predict("broadcast", numpy.array([1024.7])), TypeError, "bytes: array([1024.7]) is ndarray; a whole"),
    (lambda p: p.predict("broadcast", numpy.True_), TypeError, "bytes: True is bool"),
    (lambda p: p.predict("broadcast", b"64"), TypeError, "bytes: b'64' is bytes"),
    (lambda p: p.predict("broadcast", numpy.ones((9, 9))), TypeError, "... is ndarray; a whole"),
    (lambda p: p.predict("broadcast", "1 2"), isthmus.BadInput, "bytes: size `1 2`"),
    (lambda p: p.schedule("broadcast", 8, root=numpy.True_), TypeError, "root: True is bool"),
    *(
        (call, isthmus.BadInput, "bytes: is empty; a whole number, a text")
        for call in (
            lambda p: p.predict("broadcast", []),
            lambda p: p.explain("broadcast", []),
            lambda p: p.bound("broadcast", ()),
            lambda p: p.sensitivity("broadcast", []),
            lambda p: isthmus.tune(p, "broadcast", []),
            lambda p: isthmus.sweep(p, "broadcast", bytes=[], progress=False),
        )
    ),
    (
        lambda p: p.with_links("*", bandwidth_Bps=math.inf),
        isthmus.BadInput,
        "bandwidth_Bps: inf; a finite number above 0",
    ),
    (lambda p: p.with_links("*", latency_s=math.nan), isthmus.BadInput, "latency_s: nan; a finite number of 0 or more"),
    (lambda p: p.with_links("*", bandwidth="x2", name="a/b"), isthmus.BadInput, "name: 'a/b'; a file name"),
    (lambda p: isthmus.clusters(4, 2, **{**WAN, "wan_latency_s": "10ms"}), TypeError, "wan_latency_s: '10ms' is str"),
    (
        lambda p: isthmus.clusters(4, 2, **WAN, lan_latency_s=math.inf),
        isthmus.BadInput,
        "lan_latency_s: inf; a finite number of 0 or more",
    ),
    (
        lambda p: isthmus.clusters(4, 2, **{**WAN, "wan_latency_s": APART}),
        isthmus.BadInput,
        "wan_latency_s, from c0 to c1: inf; a finite number would be right: each site has a line to each other",
    ),
    (
        lambda p: isthmus.wide_area("ab", latency_s=[[0, 1], [1, 0]], bandwidth_Bps=APART),
        isthmus.BadInput,
        "bandwidth_Bps, from a to b: inf; a finite number would be right",
    ),
    (lambda p: isthmus.clusters([3, 5], 4, **WAN), isthmus.BadInput, "sites: 4, but hosts has 2 numbers"),
    (lambda p: isthmus.clusters(3.0, 2, **WAN), TypeError, "hosts: 3.0 is float; how many hosts each cluster has"),
    (lambda p: isthmus.clusters(3, 2, **WAN, name=Path("a")), TypeError, "name: PosixPath('a') is PosixPath"),
    (
        lambda p: isthmus.clusters(3, 2, **WAN, lan_latency=1),
        TypeError,
        "lan_latency: no argument of clusters(); hosts, sites, wan_latency_s, ",
    ),
    (
        lambda p: isthmus.wide_area("ab", latency_s=1, bandwidth_Bps=1, rank=3),
        TypeError,
        "rank: no argument of wide_area",
    ),
    (
        lambda p: isthmus.Platform.from_networkx(ring(latency_s=1, bandwidth_Bps=1), hosts="x"),
        TypeError,
        "hosts: 'x' is str; a whole number from 0",
    ),
    (
        lambda p: isthmus.Platform.from_networkx(ring(latency_s=math.inf, bandwidth_Bps=1)),
        isthmus.BadInput,
        "latency_s from 0 to 1: inf; a finite number",
    ),
    (lambda p: isthmus.tune(p, "broadcast", 8, close_percent="x"), TypeError, "close_percent: 'x' is str; a number"),
    (lambda p: isthmus.DecisionTable(None, "{}"), TypeError, "platform: None is NoneType; a Platform"),
    (lambda p: isthmus.tune(p, "broadcast", 8).plan("broadcast", 8, root=99), isthmus.BadInput, "root: 99; a whole"),
    (lambda p: isthmus.tune(p, "broadcast", 8).plan(None, 8), TypeError, "collective: None is NoneType"),
    (lambda p: isthmus.papers.Claims("x").number("c", 0, 1, 5, "s"), isthmus.BadInput, "paper: 0; another number"),
    (lambda p: isthmus.speed_up(p.predict("broadcast", 8), None), TypeError, "over: None is NoneType; a plan"),
    (
        lambda p: isthmus.Network(),
        TypeError,
        "Network(): makes no Network; Network.read(file) or Network.from_json(text) would be right",
    ),
    (
        lambda p: isthmus.Topology([["a"], ["b"]]),
        TypeError,
        "Topology(): makes no Topology; Topology.flat(size) or Topology.from_paths(paths) or Topology.read(file) would",
    ),
    (lambda p: isthmus.Algorithm("chain"), TypeError, "makes no Algorithm; isthmus.collective('broadcast')['chain']"),
    (lambda p: isthmus.Platform.from_data(3), TypeError, "data: 3 is int; what as_data() gave would be right"),
    (lambda p: isthmus.Platform.from_data({}), isthmus.BadInput, "data: network is missing; what as_data() gave would"),
]


@pytest.mark.parametrize("call, kind, says", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused_says_what_would_be_right(das, call, kind, says):
    with pytest.raises(kind) as caught:
        call(das)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_a_store_takes_records_alone(tmp_path):
    store = isthmus.Store(tmp_path / "s.sqlite")
    for texts, shown in ((3, "3 is int"), ([3], "3 is int"), (None, "None is NoneType")):
        with pytest.raises(TypeError, match=f"texts: {shown}; a list of texts would be right"):
            store.put(texts)
    assert len(store) == 0


def warned(number):
    raise isthmus.IsthmusWarning("too few", "unsettled")


def test_a_warning_comes_whole_out_of_another_process():
    again = pickle.loads(pickle.dumps(isthmus.IsthmusWarning("too few", "unsettled")))
    assert (str(again), again.kind) == ("too few", "unsettled")
    with multiprocessing.Pool(1) as pool, pytest.raises(isthmus.IsthmusWarning) as caught:
        pool.map_async(warned, [1]).get(timeout=60)
    assert caught.value.kind == "unsettled"


def test_the_file_of_a_placement_is_written_once(das):
    placed = das.placed(placement=["c1-0", "c0-0"])
    file = Path(placed.placement_arguments()[1])
    before = file.stat().st_mtime_ns
    assert placed.placement_arguments()[1] == str(file) and file.stat().st_mtime_ns == before
    assert file.read_text() == "c1-0\nc0-0\n"


def test_stores_merge_stores_and_no_file_that_is_not_there(das, tmp_path):
    one, two = isthmus.Store(tmp_path / "1.sqlite"), isthmus.Store(tmp_path / "2.sqlite")
    isthmus.sweep(das, "barrier", store=one, progress=False, workers=1)
    assert two.merge(one) == two.merge(one.file) == 1 and len(two) == 1
    with pytest.raises(isthmus.BadInput, match="other: .*typo.sqlite: no such file"):
        two.merge(tmp_path / "typo.sqlite")
    assert not (tmp_path / "typo.sqlite").exists()


def test_claims_may_be_empty_and_tables_are_kept_under_any_path(das, tmp_path):
    claims = isthmus.papers.Claims("Kielmann 2000")
    assert claims.frame().empty and "Kielmann 2000" in repr(claims) and "0 of 0 claims" in claims._repr_html_()
    isthmus.papers.keep(das.bound("broadcast", 8), tmp_path / "results/bound.csv", ["bytes"])
    assert isthmus.papers.kept(tmp_path / "results/bound.csv").bytes.tolist() == [8]


def test_comparisons_take_categories(das):
    frame = das.predict("broadcast/all", "8,1Ki", models=["plogp", "replay"])
    names = {name: "category" for name in ("platform", "collective", "algorithm", "source", "requested")}
    assert isthmus.best(frame.astype(names)).index.equals(isthmus.best(frame).index)
    regret = isthmus.regret(frame.astype(names), "plogp", "replay").regret
    assert regret.tolist() == isthmus.regret(frame, "plogp", "replay").regret.tolist()
