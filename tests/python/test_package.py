"""The package in process: platforms, schedules, models, and errors for bad input."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from conftest import PLATFORMS, SOURCE, children_of

import isthmus


def test_a_platform_says_what_it_is(das):
    assert (das.name, das.ranks, len(das.network), das.topology.levels) == ("das-4x4", 16, 16, 1)
    assert list(das.hosts().columns) == ["host", "zones", "cores", "speed_flops", "gateway"]
    assert das.links().set_index("link").loc["wan-c0-c1_UP", "bandwidth_Bps"] == 1e6
    assert [len(ranks) for ranks in das.groups().query("level == 1").ranks] == [4] * 4
    layers = das.layers()
    assert (layers.clusters, layers.cluster_size) == (4, 4)
    assert layers.wan.latency_s == pytest.approx(0.01002)
    assert layers.wan.gap_s(999900) == pytest.approx(1)
    assert das.placed(placement="cyclic").placement().host[:4].tolist() == ["c0-0", "c1-0", "c2-0", "c3-0"]
    assert das.placed(placement=["c3-1", "c0-0"]).placement().host.tolist() == ["c3-1", "c0-0"]
    first = das.placed(placement=["c3-1", "c3-1", "c0-0"], ranks=2)
    assert first.placement().host.tolist() == ["c3-1", "c3-1"]
    assert first.placement_arguments()[2:] == ["--ranks-per-host", "2"]
    assert isthmus.Platform.from_data(first.as_data()) == first


def test_collectives_and_algorithms_are_objects():
    names = [one.name for one in isthmus.collectives()]
    assert names[0] == "broadcast" and "alltoallw" in names
    kielmann = isthmus.collective("broadcast")["kielmann"]
    assert kielmann.parameters == ["segment", "wan-degree", "lan-degree"] and "Kielmann 2000" in kielmann.paper
    assert kielmann.plan(segment="64Ki", wan_degree=3) == "broadcast/kielmann:segment=64Ki,wan-degree=3"


@pytest.mark.parametrize("what", [a.name for c in isthmus.collectives() for a in c.algorithms])
def test_every_algorithm_is_proved_and_replayed(das, what):
    schedule = das.schedule(what, 0 if what.startswith("barrier") else 4096, root=0)
    schedule.verify()
    totals = schedule.totals()
    assert schedule.replay() > 0 and totals["messages"] > 0
    assert schedule.census().sent_messages.sum() == totals["messages"] == schedule.census("pair").messages.sum()
    assert len(schedule.messages()) == totals["messages"]
    assert schedule.messages().end_s.max() == pytest.approx(schedule.replay(), rel=1e-12)


def test_operations_are_those_of_the_exported_schedule(das):
    schedule = das.schedule("allreduce/ring", "64Ki")
    exported = json.loads(schedule.export("json"))["programs"]
    for rank in (0, 7):
        table = schedule.operations(rank)
        assert table.kind.tolist() == [op["kind"] for op in exported[rank]["operations"]]
        assert (table.query("kind == 'send'").bytes == 4096).all()
    assert len(schedule.operations()) == len(schedule.timeline()) == sum(len(p["operations"]) for p in exported)


def test_models_give_what_the_program_gives(das):
    arguments = [
        "predict",
        PLATFORMS / "kielmann2000/das-4x4.xml",
        "broadcast/all",
        "--bytes",
        "1,64Ki,4Mi",
        "--format",
        "json",
        "--model",
        "hockney,logp,loggp,plogp,replay",
    ]
    program = subprocess.run([os.environ["ISTHMUS"], *arguments], capture_output=True, text=True, check=True)
    expected = {(r["source"], r["algorithm"], r["bytes"]): r for r in map(json.loads, program.stdout.splitlines())}
    frame = das.predict("broadcast/all", "1,64Ki,4Mi", models=["hockney", "logp", "loggp", "plogp", "replay"])
    assert len(frame) == len(expected)
    for row in frame.itertuples():
        record = expected[row.source, row.algorithm, row.bytes]
        assert (row.seconds, row.bound_seconds, row.plan) == (
            record["seconds"],
            record["bound_seconds"],
            record["plan"],
        )


def test_explanations_of_several_sizes_are_one_table(das):
    frame = das.explain("allgather", "8,1Ki")
    assert list(frame.columns) == ["bytes", "plan", "seconds", "bound_seconds", "over_bound"]
    assert frame.bytes.unique().tolist() == [8, 1024]
    for size, part in frame.groupby("bytes"):
        assert (
            part.seconds[1:].is_monotonic_increasing
            and part.plan.tolist() == das.explain("allgather", [size]).plan.tolist()
        )
        assert das.choose("allgather", size).plan == part.plan.iloc[0]


def test_an_explanation_begins_with_the_choice_where_its_longer_search_finds_another():
    unequal = isthmus.wide_area(
        "abc",
        hosts=2,
        latency_s=[[0, 0.010, 0.020], [0.012, 0, 0.015], [0.020, 0.015, 0]],
        bandwidth_Bps=[[0, 125e6, 62.5e6], [250e6, 0, 125e6], [62.5e6, 125e6, 0]],
    )
    frame = unequal.explain("broadcast", "1M")
    assert frame.plan.iloc[0] == unequal.choose("broadcast", "1M").plan
    assert frame.plan.is_unique and frame.seconds[1:].is_monotonic_increasing
    assert frame.seconds.min() < frame.seconds.iloc[0]


def test_a_model_without_a_formula_for_one_algorithm_still_answers_for_the_others():
    frodo = isthmus.Platform(PLATFORMS / "pjesivac2005/frodo.xml")
    frame = frodo.predict("broadcast/all", "64Ki", models="hockney")
    assert set(frame.algorithm) == {"linear", "chain", "binary", "binomial", "splitted-binary"}
    assert "broadcast/kielmann" in {point.algorithm for point in frame.attrs["left_out"]}


def test_simulation_gives_what_the_program_gives(small):
    frame = small.simulate(["broadcast/magpie", "broadcast/binomial"], "1,64Ki", root=1)
    assert frame.source.tolist() == ["smpi"] * 4 and frame.bytes.tolist() == [1, 65536] * 2 and (frame.root == 1).all()
    replay = small.predict(["broadcast/magpie", "broadcast/binomial"], "1,64Ki", root=1, models="replay")
    assert frame.seconds.tolist() == pytest.approx(replay.seconds.tolist(), rel=0.01)
    own = isthmus.sweep(
        small,
        algorithms=["broadcast/mpi:selector=ompi"],
        bytes=1,
        sources=["replay", "smpi"],
        progress=False,
        workers=1,
    )
    assert own.source.tolist() == ["smpi"] and own.seconds[0] > 0.01 and len(own.attrs["left_out"]) == 1
    explicit = small.placed(placement=["c3-0", "c0-0", "c1-0"]).simulate("broadcast/chain", 1)
    assert explicit.ranks[0] == 3 and explicit.seconds[0] == pytest.approx(0.02004, rel=0.05)


def test_pictures_are_whole_svg_files(das):
    import xml.etree.ElementTree as tree

    schedule = das.schedule("broadcast/kielmann", "64Ki")
    many = das.schedule("alltoall/pairwise", 8)
    for svg in (
        das.svg(),
        schedule.tree_svg(),
        schedule.timeline_svg(),
        schedule.svg(),
        many.tree_svg(),
        many.svg(8, 4),
    ):
        root = tree.fromstring(svg)
        assert root.tag.endswith("svg") and "viewBox" in root.attrib and "<style>" in svg
    assert len([e for e in tree.fromstring(schedule.tree_svg()).iter() if e.get("class", "").startswith("edge")]) == 15
    for shown in (das, schedule, isthmus.collective("reduce")):
        assert "<table>" in shown._repr_html_()


def test_a_platform_of_ones_own_is_modelled_simulated_and_changed():
    plan = isthmus.clusters([3, 5, 2], wan_latency_s=10e-3, wan_bandwidth_Bps=1e6, name="plan")
    assert plan.ranks == 10 and plan.layers().clusters == 3
    modelled, simulated = plan.predict("broadcast/kielmann", "64Ki", models="replay"), plan.simulate(
        "broadcast/kielmann", "64Ki"
    )
    assert simulated.seconds[0] == pytest.approx(modelled.seconds[0], rel=0.01)
    faster = plan.with_links(lambda link: link.startswith("wan"), scale_bandwidth=10)
    assert plan.with_links("wan*", scale_bandwidth=10).links().equals(faster.links())
    assert plan.with_links("wan*", scale_bandwidth=1).links().equals(plan.links())
    assert faster.predict("broadcast/kielmann", "64Ki", models="replay").seconds[0] < modelled.seconds[0] / 2


def test_links_are_changed_as_by_the_option_set_under_either_name(das):
    before = das.links().set_index("link")
    both = das.with_links("wan-c0-c1", bandwidth="x2", latency="50ms").links().set_index("link")
    for direction in ("UP", "DOWN"):
        link = f"wan-c0-c1_{direction}"
        assert both.bandwidth_Bps[link] == 2 * before.bandwidth_Bps[link] and both.latency_s[link] == 0.05
    one = das.with_links("wan-c0-c1_UP", bandwidth="+10%").links().set_index("link")
    assert (one.bandwidth_Bps != before.bandwidth_Bps).sum() == 1


def test_an_explained_time_is_split_into_its_parts(das):
    frame = das.explain("allgather", "1Ki", parts=True)
    parts = frame.filter(regex="^(latency|wide_area|local|overhead|contention)_seconds$")
    assert parts.shape[1] == 5
    assert parts.sum(axis=1).tolist() == pytest.approx(frame.seconds.tolist())
    assert (frame.path_messages > 0).all()


WRONG = [
    (lambda p: isthmus.Platform("no-such.xml"), isthmus.BadInput, "no-such.xml: no such file"),
    (lambda p: isthmus.Platform(3), TypeError, "source: 3 is int"),
    (lambda p: p.placed(placement="random"), isthmus.BadInput, "placement: 'random'; block, cyclic"),
    (lambda p: p.placed(placement=["c9-9"]), isthmus.BadInput, "no host `c9-9`"),
    (lambda p: p.placed(placement=["c0-0"], ranks=2), isthmus.BadInput, "ranks: 2, beside a list of hosts; at most 1"),
    (lambda p: p.placed(placement=["c0-0"], ranks_per_host=2), isthmus.BadInput, "ranks_per_host: 2, beside a list"),
    (lambda p: p.placed(ranks_per_host=0), isthmus.BadInput, "ranks_per_host: 0; a whole number from 1"),
    (lambda p: p.predict("broadcast/kielman", 1), isthmus.BadInput, "did you mean `kielmann`"),
    (lambda p: p.predict("brodcast", 1), isthmus.BadInput, "did you mean `broadcast`"),
    (lambda p: p.predict("broadcast", "4 XB"), isthmus.BadInput, "bytes: size `4XB`"),
    (lambda p: p.predict("broadcast", 4.0), TypeError, "bytes: 4.0 is float; a whole number"),
    (lambda p: p.predict("broadcast", -1), isthmus.BadInput, "bytes: -1; 0 to"),
    (lambda p: p.predict("broadcast", True), TypeError, "bytes: True is bool"),
    (lambda p: p.predict("broadcast", 1, models="logq"), isthmus.BadInput, "models: 'logq'; hockney, "),
    (lambda p: p.schedule("broadcast/chain", "1,2"), isthmus.BadInput, "bytes: '1,2' is 2 sizes"),
    (
        lambda p: p.schedule("broadcast/all", 1),
        isthmus.BadInput,
        "names every algorithm; one plan, as in `broadcast/linear`",
    ),
    (lambda p: p.schedule(3, 1), TypeError, "what: 3 is int; a plan"),
    (lambda p: p.explain(["broadcast"], 1), TypeError, "collective: ['broadcast'] is list; the name of a collective"),
    (lambda p: p.choose(None, 1), TypeError, "collective: None is NoneType"),
    (lambda p: p.explain("broadcast", [1, 2.5]), TypeError, "bytes: [1, 2.5] is list"),
    (lambda p: p.bound(["broadcast"], 1), TypeError, "collective: ['broadcast'] is list"),
    (lambda p: p.bound("reduce", 1000, element_bytes=7), isthmus.BadInput, "bytes: 1000; a multiple of element_bytes"),
    (lambda p: p.with_links("*", bandwidth=2e6), TypeError, "or a number as bandwidth_Bps=, would be right"),
    (lambda p: p.schedule("broadcast/mpi", 1), isthmus.BadInput, "has no schedule that is known"),
    (lambda p: p.schedule("broadcast/chain", 8, root=16), isthmus.BadInput, "root: 16; a whole number from 0 to 15"),
    (lambda p: p.schedule("broadcast/chain", 7, element_bytes=2), isthmus.BadInput, "a multiple of element_bytes"),
    (lambda p: p.schedule("broadcast/chain", 8).operations(99), isthmus.BadInput, "rank: 99"),
    (lambda p: p.topology.group_at(16, 0), isthmus.BadInput, "rank 16; a number from 0 to 15"),
    (lambda p: p.topology.group_at(0, -1), isthmus.BadInput, "level -1; 0 or more"),
    (lambda p: p.topology.coordinator(99, 0), isthmus.BadInput, "group 99; a number from 0 to 4"),
    (lambda p: p.topology.coordinator(-1, 0), isthmus.BadInput, "group -1; a number from 0 to 4"),
    (lambda p: p.topology.coordinator(1, 99), isthmus.BadInput, "root 99; a number from 0 to 15"),
    (lambda p: p.schedule("broadcast/chain", 8).export("pdf"), isthmus.BadInput, "as_: `pdf`; json, goal"),
    (lambda p: p.simulate("broadcast/chain", 8, repetitions=0), isthmus.BadInput, "repetitions: 0"),
    (lambda p: p.simulate("broadcast/chain", 8, timeout_s="1"), TypeError, "timeout_s: '1' is str"),
    (lambda p: p.simulate("broadcast/chain", 8, queueing="lifo"), isthmus.BadInput, "queueing"),
    (lambda p: p.with_links(lambda n: False), isthmus.BadInput, "which: it fits no link of das-4x4"),
    (lambda p: p.with_links("w12*"), isthmus.BadInput, "which: 'w12*' fits no link of das-4x4; there are "),
    (lambda p: p.with_links(12), TypeError, "which: 12 is int; a pattern such as 'wan-*'"),
    (
        lambda p: p.with_links("wan-*"),
        isthmus.BadInput,
        "with_links: no figure is given; bandwidth='x2', latency='50ms'",
    ),
    (lambda p: p.with_links("wan-*", name="other"), isthmus.BadInput, "with_links: no figure is given"),
    (lambda p: p.with_links("*", bandwidth_Bps="1M"), TypeError, "bandwidth_Bps: '1M' is str; a number"),
    (lambda p: p.with_links("*", bandwidth="fast"), isthmus.BadInput, "`fast`; a rate above 0 like 10Gbps"),
    (lambda p: p.with_links("*", latency=0.05), TypeError, "latency: 0.05 is float; a text such as 'x2'"),
    (lambda p: p.with_links("*", scale_bandwidth=0), isthmus.BadInput, "scale_bandwidth: 0; a number above 0"),
    (
        lambda p: isthmus.clusters(4, 2, wan_latency_s=0.01, wan_bandwidth_Bps=0),
        isthmus.BadInput,
        "wan_bandwidth_Bps: 0; a number above 0",
    ),
    (lambda p: p.layers().wan.gap_s(-5), isthmus.BadInput, "bytes: -5; 0 or more would be right"),
    (lambda p: p.layers().wan.receive_time_s(float("nan")), isthmus.BadInput, "bytes: nan; 0 or more"),
    (lambda p: isthmus.Network.from_json("{"), isthmus.BadInput, "is not JSON"),
    (lambda p: isthmus.Network.from_json("[" * 100000 + "]" * 100000), isthmus.BadInput, "more than 100 levels"),
    (lambda p: isthmus.DecisionTable.read(p, "/dev/zero"), isthmus.BadInput, "it is a device"),
    (lambda p: isthmus.Platform("/tmp"), isthmus.BadInput, "a folder, a device or a pipe"),
    (lambda p: p.choose("broadcast", bytes=2**62), isthmus.BadInput, "2^62"),
    (lambda p: p.schedule("alltoall/linear", 500_000_000_000_000_000).replay(), isthmus.BadInput, "2^62"),
    (lambda p: p.explain("allgather", bytes=2**60), isthmus.BadInput, "2^63"),
    (lambda p: p.schedule("broadcast/chain:segment=1", 2**40).replay(), isthmus.BadInput, "larger segments"),
    (lambda p: p.schedule("broadcast/chain", 8).tree_svg().save("/dev/full"), isthmus.Missing, "cannot be written"),
    (lambda p: isthmus.collective("broadcast")["x"], isthmus.BadInput, "has no algorithm 'x'; one of linear, "),
]


@pytest.mark.parametrize("call, kind, says", WRONG, ids=[says for _, _, says in WRONG])
def test_bad_input_is_named(das, call, kind, says):
    with pytest.raises(kind) as caught:
        call(das)
    assert says in str(caught.value) and "\n" not in str(caught.value)


def test_old_names_of_arguments_are_taken(das):
    schedule = das.schedule("broadcast/magpie", 8)
    assert str(schedule.tree_svg(most_ranks=2)) == str(schedule.tree_svg(max_ranks=2)) != str(schedule.tree_svg())
    with pytest.raises(TypeError):
        schedule.tree_svg(most_ranks=2, max_ranks=2)


def test_bad_input_is_a_value_error():
    assert issubclass(isthmus.BadInput, ValueError) and issubclass(isthmus.BadInput, isthmus.Error)


def test_a_missing_module_says_which_package_brings_it(run_python, das):
    done = run_python(
        "import sys, isthmus\n"
        "platform = isthmus.Platform(sys.argv[1])\n"
        "def without(module, work):\n"
        "    gone = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition('.')[0] == module}\n"
        "    sys.modules[module] = None\n"
        "    try: print(module, work())\n"
        "    except isthmus.Missing as error: print(module, error)\n"
        "    del sys.modules[module]\n"
        "    sys.modules.update(gone)\n"
        "without('pandas', lambda: platform.schedule('broadcast/chain', 8).replay() > 0)\n"
        "without('pandas', lambda: platform.predict('broadcast', 1))\n"
        "without('matplotlib', lambda: isthmus.pictures.network_map(platform))\n"
        "without('tqdm', lambda: isthmus.sweep(platform, 'barrier', progress=True))\n"
        "there = 'tcp://127.0.0.1:1'\n"
        "without('distributed', lambda: isthmus.sweep(platform, 'barrier', progress=False, executor=there))\n",
        PLATFORMS / "kielmann2000/das-4x4.xml",
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "pandas True" and len(lines) == 5, done.stderr
    for line, module in zip(lines[1:], ("pandas", "matplotlib", "tqdm", "distributed")):
        assert line.startswith(module) and f"`apt install python3-{module}`" in line


def test_a_name_means_the_same_whatever_was_used_before(run_python):
    done = run_python(
        "import sys, isthmus, inspect\n"
        "for name in [*sys.argv[1:], *isthmus.__all__]: print(name, type(getattr(isthmus, name)).__name__)\n",
        "slurm_array",
        "papers",
    )
    kinds = dict(line.split() for line in done.stdout.splitlines())
    modules = {name for name, kind in kinds.items() if kind == "module"}
    assert modules == {"models", "papers", "pictures"}, done.stderr


def test_importing_brings_nothing_heavy(run_python):
    heavy = ("dask", "distributed", "matplotlib", "numpy", "pandas", "plotly", "tqdm")
    done = run_python(f"import isthmus, sys; print(*[name for name in {heavy!r} if name in sys.modules])")
    assert done.stdout.split() == []


def test_importing_takes_a_third_of_what_pandas_takes_at_most(run_python):
    # Processor time of both, since machines differ.
    def took_s(package):
        code = f"import time; begin = time.process_time(); import {package}; print(time.process_time() - begin)"
        return min(float(run_python(code).stdout) for _ in range(3))

    assert took_s("isthmus") < took_s("pandas") / 3


def interrupted_after(seconds, work):
    """How long `work` takes until KeyboardInterrupt ends it: on the wall, and of this process's processor time."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    begin, spent = time.perf_counter(), time.process_time()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
        time.sleep(60)
    return time.perf_counter() - begin, time.process_time() - spent


def test_a_long_replay_lets_other_threads_run_and_ends_on_ctrl_c(das):
    schedule = das.placed(ranks_per_host=4).schedule("broadcast/chain:segment=1Ki", "48Mi")
    ticks = []
    stop = threading.Event()
    counter = threading.Thread(target=lambda: [ticks.append(1) for _ in iter(lambda: stop.wait(0.01), True)])
    counter.start()
    begin, spent = time.perf_counter(), time.process_time()
    schedule.replay()
    whole, spent = time.perf_counter() - begin, time.process_time() - spent
    stop.set()
    counter.join()
    assert len(ticks) > whole / 0.01 / 10
    # Processor time: what passes on the wall depends on who else computes.
    assert interrupted_after(whole / 10, schedule.replay)[1] < 0.7 * spent


def test_a_long_simulation_ends_on_ctrl_c_and_leaves_nothing(das):
    before = set(children_of(os.getpid()))
    # A segment of a byte: four million messages, which take the simulator minutes.
    took_s, _ = interrupted_after(0.7, lambda: das.simulate("broadcast/chain:segment=1", "256Ki"))
    assert took_s < 6
    deadline = time.monotonic() + 5
    while set(children_of(os.getpid())) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert set(children_of(os.getpid())) - before == set()


def test_a_simulation_that_takes_too_long_is_refused(das):
    with pytest.raises(isthmus.Refused, match="still running after"):
        das.simulate("broadcast/chain:segment=1", "256Ki", timeout_s=0.5)


def types_hold_in(file, folder):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", folder, file]
    done = subprocess.run(command, capture_output=True, text=True, cwd=SOURCE / "python")
    assert done.returncode == 0, done.stdout


def test_types_hold(tmp_path):
    types_hold_in(SOURCE / "python/isthmus", tmp_path)


def test_types_take_what_users_have(tmp_path):
    (tmp_path / "users.py").write_text(
        """import numpy
import isthmus

table = numpy.full((2, 2), 0.01)
sites = isthmus.wide_area(["a", "b"], latency_s=table, bandwidth_Bps=table * 1e9, hosts=numpy.int64(2))
isthmus.wide_area(["a", "b"], latency_s=sites.latencies(), bandwidth_Bps=[[0.0, 1e6], [1e6, 0.0]])
four = isthmus.clusters(numpy.int64(4), 4, wan_latency_s=numpy.float32(0.01), wan_bandwidth_Bps=1e6)
four.predict("broadcast", bytes=[numpy.int64(4), 5, "1Ki"])
four.schedule("broadcast", bytes=numpy.int64(4))
"""
    )
    types_hold_in(tmp_path / "users.py", tmp_path)


def test_notes_are_warnings_of_one_class(small, tmp_path):
    network = json.loads(small.network.to_json())
    for link in network["links"][:2]:
        link["latency_s"] = 10
    (tmp_path / "slow.json").write_text(json.dumps({**network, "name": "slow"}))
    with pytest.warns(
        isthmus.IsthmusWarning, match=r"has a latency of 10 s, and 1 more are like it; are milliseconds meant\?"
    ) as caught:
        isthmus.Platform(tmp_path / "slow.json")
    assert len(caught) == 1 and caught[0].message.kind == "doubtful_network" and caught[0].filename == __file__
    record = json.loads(isthmus._core.run_models(small._core, "replay", [("broadcast/binomial", 8, 1, 0)])[0])
    starved = {**record, "source": "emulated", "processor_waited": 0.75, "provenance": {"substrate": "native"}}
    assert isthmus._core.notes_about([json.dumps(record)]) == []
    ((kind, sentence),) = isthmus._core.notes_about([json.dumps(starved)])
    assert kind == "starved" and "waited for a processor 75 %" in sentence
    assert issubclass(isthmus.IsthmusWarning, RuntimeWarning)
