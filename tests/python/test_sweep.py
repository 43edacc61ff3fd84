"""Sweeps: the product, the store, death at any moment, other executors."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from conftest import PLATFORMS, children_of, is_alive

import isthmus

DAS_4X1, DAS_4X4 = PLATFORMS / "kielmann2000/das-4x1.xml", PLATFORMS / "kielmann2000/das-4x4.xml"
# Models by the hundred and a few simulations: about two seconds.
SWEEP = dict(
    platforms=[str(DAS_4X1), str(DAS_4X4)],
    collectives=["broadcast", "allreduce", "barrier"],
    algorithms="all",
    bytes="1..4Ki",
    sources=["plogp", "replay"],
    roots=[0, 3],
    progress=False,
)
SIMULATED = dict(
    platforms=[str(DAS_4X1)],
    algorithms=["broadcast/kielmann", "broadcast/chain:segment=auto"],
    bytes="1..256Ki",
    sources="smpi",
    progress=False,
)


def rows(file):
    """All records of a store, without the moment at which they came."""
    with sqlite3.connect(file) as connection:
        found = connection.execute("SELECT identity, source, seconds, record FROM records").fetchall()
    return sorted(found)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    file = tmp_path_factory.mktemp("undisturbed") / "store.sqlite"
    begin = time.monotonic()
    frames = [isthmus.sweep(**SWEEP, store=file), isthmus.sweep(**SIMULATED, store=file)]
    return file, frames, time.monotonic() - begin


def test_a_sweep_is_the_whole_product_in_order(undisturbed):
    file, (frame, simulated), _ = undisturbed
    left_out = frame.attrs["left_out"]
    algorithms = {name: len(isthmus.collective(name).algorithms) for name in SWEEP["collectives"]}
    sizes = 13
    points = 2 * 2 * (2 * sizes * algorithms["broadcast"] + sizes * algorithms["allreduce"] + algorithms["barrier"])
    assert len(frame) + len(left_out) == points
    assert {point.source for point in left_out} == {"plogp"}
    assert not frame.duplicated(["source", "platform", "collective", "requested", "bytes", "root"]).any()
    assert frame.platform.tolist() == sorted(frame.platform)
    assert len(isthmus.Store(file)) == len(frame) + len(simulated)
    again = isthmus.sweep(**SWEEP, store=file)
    assert again.equals(frame)


def test_its_rows_are_those_of_the_program(undisturbed, tmp_path):
    file, _, _ = undisturbed
    other = tmp_path / "program.sqlite"
    for what in ("broadcast/kielmann", "broadcast/chain:segment=auto"):
        subprocess.run(
            [os.environ["ISTHMUS"], "simulate", DAS_4X1, what, "--bytes", "1..256Ki", "--store", other],
            check=True,
            capture_output=True,
        )
    theirs = {row[0]: row[2] for row in rows(other)}
    ours = {row[0]: row[2] for row in rows(file) if row[1] == "smpi"}
    assert ours == theirs


def test_filters_keep_what_they_hold_for(tmp_path):
    frame = isthmus.sweep(
        DAS_4X4,
        "broadcast",
        "all",
        bytes="1..4Ki",
        progress=False,
        where=lambda point: point.bytes > 64 and not point.algorithm.endswith("linear"),
    )
    assert frame.bytes.min() == 128 and "linear" not in set(frame.algorithm)


KILLED = """
import sys, json, isthmus
arguments = json.loads(sys.argv[1])
for one in arguments:
    isthmus.sweep(**one, store=sys.argv[2], workers=2)
"""


def start(file):
    return subprocess.Popen(
        [sys.executable, "-c", KILLED, json.dumps([SWEEP, SIMULATED]), str(file)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def killed_and_resumed(moments, undisturbed, file):
    expected, _, took_s = undisturbed
    for moment in moments:
        process = start(file)
        time.sleep(0.3 + moment * took_s)
        below = children_of(process.pid)
        process.kill()
        process.wait()
        deadline = time.monotonic() + 5
        while any(map(is_alive, below)) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not any(map(is_alive, below)), "workers outlive the sweep"
        if file.exists():
            stored = rows(file)
            assert set(stored) <= set(rows(expected))
    assert start(file).wait(600) == 0
    assert rows(file) == rows(expected)


def test_killed_at_three_moments_it_ends_with_the_rows_of_an_undisturbed_one(undisturbed, tmp_path):
    killed_and_resumed([0.15, 0.5, 0.5], undisturbed, tmp_path / "store.sqlite")


@pytest.mark.slow
def test_killed_at_twenty_random_moments_it_ends_with_the_rows_of_an_undisturbed_one(undisturbed, tmp_path):
    moments = random.Random(20).choices(range(1000), k=20)
    for number, moment in enumerate(moments):
        killed_and_resumed([moment / 1000], undisturbed, tmp_path / f"store-{number}.sqlite")
    killed_and_resumed([moment / 4000 for moment in moments], undisturbed, tmp_path / "one-store.sqlite")


def test_two_sweeps_share_a_store(undisturbed, tmp_path):
    file = tmp_path / "store.sqlite"
    both = [start(file), start(file)]
    assert [process.wait(600) for process in both] == [0, 0]
    assert rows(file) == rows(undisturbed[0])


def is_worker(pid):
    try:
        return b"isthmus.worker" in (Path("/proc") / str(pid) / "cmdline").read_bytes()
    except OSError:
        return False


def test_a_worker_that_dies_costs_no_row(undisturbed, tmp_path):
    file = tmp_path / "store.sqlite"
    process = start(file)
    killed = 0
    while process.poll() is None and killed < 3:
        workers = [pid for pid in children_of(process.pid) if is_worker(pid)]
        if workers:
            try:
                os.kill(random.choice(workers), signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
        time.sleep(0.5)
    assert process.wait(600) == 0 and killed > 0
    assert rows(file) == rows(undisturbed[0])


def test_a_collective_alone_is_the_automatic_choice_everywhere(das):
    choice = das.explain("allreduce", "64Ki").plan[0].partition("/")[2]
    for frame in (
        isthmus.sweep(DAS_4X4, "allreduce", bytes="64Ki", progress=False, workers=1),
        isthmus.sweep(DAS_4X4, "allreduce", "auto", bytes="64Ki", progress=False, workers=1),
        das.predict("allreduce", "64Ki", models="replay"),
        das.predict("allreduce/auto", "64Ki", models="replay"),
    ):
        assert frame.plan.tolist() == [choice] and frame.requested.tolist() == ["auto"]
    program = subprocess.run(
        [
            os.environ["ISTHMUS"],
            "predict",
            DAS_4X4,
            "allreduce",
            "--bytes",
            "64Ki",
            "--model",
            "replay",
            "--format",
            "json",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(program.stdout)["plan"] == choice


def test_every_algorithm_is_as_good_as_where_it_is_explained(das):
    for collective in ("allreduce", "broadcast"):
        explained = das.explain(collective, "64Ki", thorough=True)
        best = (
            explained.assign(algorithm=explained.plan.str.extract("/([^:]*)")[0])
            .drop_duplicates("algorithm")
            .set_index("algorithm")
            .seconds
        )
        for frame in (
            isthmus.sweep(das, collective, "all", bytes="64Ki", progress=False),
            das.predict(f"{collective}/all", "64Ki", models="replay"),
        ):
            assert (frame.set_index("algorithm").seconds / best).between(1, 1.01).all()  # with fewer messages


def test_the_plan_of_a_row_is_that_plan_when_it_is_asked_for(das):
    explained = das.explain("broadcast", "64Ki")
    again = das.predict(explained.plan.tolist(), "64Ki", models="replay")
    assert again.seconds.tolist() == explained.seconds.tolist()


FAILING = dict(
    platforms=DAS_4X4,
    algorithms=["broadcast/chain:segment=none", "broadcast/binomial:segment=none", "broadcast/chain:segment=1"],
    bytes="256Ki",
    sources="smpi",
    timeout_s=1,
    progress=False,
)


def test_a_point_that_fails_is_named_and_the_others_are_returned_and_stored(tmp_path):
    with pytest.warns(
        RuntimeWarning,
        match=r"1 of 3 points failed; the first: das-4x4, broadcast/chain:segment=1, 256 KiB, smpi: .*after 1 s",
    ):
        frame = isthmus.sweep(**FAILING, store=tmp_path / "s.sqlite")
    assert frame.requested.tolist() == ["chain:segment=none", "binomial:segment=none"]
    (failed,) = frame.attrs["failed"]
    assert (failed.point.platform, failed.point.algorithm, failed.point.bytes) == (
        "das-4x4",
        "broadcast/chain:segment=1",
        1 << 18,
    )
    assert len(isthmus.Store(tmp_path / "s.sqlite")) == 2


def test_when_every_point_fails_the_first_is_named():
    with pytest.raises(
        isthmus.Refused, match=r"^1 of 1 points failed; the first: das-4x4, broadcast/chain:segment=1, 256 KiB, smpi: "
    ):
        isthmus.sweep(**{**FAILING, "algorithms": "broadcast/chain:segment=1"})


BROKEN_WORKER = """
import os, signal, sys
from isthmus import batches, worker
run_points = batches.run_points
def broken(platform, source, points, settings):
    for plan, *_ in points:
        if plan == "broadcast/binary":
            os.kill(os.getpid(), signal.SIGKILL)
        if plan == "broadcast/chain":
            raise MemoryError("no room")
        if plan == "broadcast/linear":
            import time
            time.sleep(60)
    return run_points(platform, source, points, settings)
batches.run_points = broken
worker.main()
"""


def test_points_that_kill_their_workers_run_out_of_memory_or_time_cost_no_other_row(tmp_path, monkeypatch):
    from isthmus import executors

    (tmp_path / "broken.py").write_text(BROKEN_WORKER)
    start = subprocess.Popen

    def popen(words, **more):
        return start([sys.executable, str(tmp_path / "broken.py"), *words[-1:]], **more)

    monkeypatch.setattr(executors.subprocess, "Popen", popen)
    with pytest.warns(RuntimeWarning, match="6 of 30 points failed"):
        frame = isthmus.sweep(DAS_4X1, "broadcast", "all", bytes="8,1Ki", workers=2, progress=False, timeout_s=3)
    assert len(frame) == 24
    why = {(one.point.algorithm.partition("/")[2], one.point.bytes): one.why for one in frame.attrs["failed"]}
    for size in (8, 1024):
        assert "ended with status -9, as did 3 before it" in why["binary", size]
        assert why["chain", size] == "MemoryError: no room"
        assert why["linear", size] == "took longer than 3 s (timeout_s)"


def test_workers_import_nothing_from_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise RuntimeError('not the one of Python')")
    monkeypatch.chdir(tmp_path)
    assert len(isthmus.sweep(DAS_4X1, "barrier", workers=1, progress=False)) == 1


def test_workers_leave_no_files_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    changed = isthmus.Platform(DAS_4X1).with_links("wan-c0-c1", latency="x2")
    isthmus.sweep([DAS_4X1, changed], "broadcast", "magpie", sources=["smpi"], workers=2, progress=False)
    made_here = {Path(changed.file()).parent}
    assert set(tmp_path.iterdir()) <= made_here


def test_workers_that_never_start_are_named_and_nothing_hangs(tmp_path, monkeypatch):
    from isthmus import executors

    start = subprocess.Popen
    monkeypatch.setattr(
        executors.subprocess, "Popen", lambda words, **more: start([sys.executable, "-c", "pass"], **more)
    )
    with pytest.raises(isthmus.Refused, match="end before they are ready"):
        isthmus.sweep(DAS_4X1, "barrier", "all", workers=2, progress=False)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "newer.sqlite"
    isthmus.sweep(DAS_4X1, "barrier", store=file, progress=False)
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = file.read_bytes()
    for other in (file, tmp_path / "text"):
        if other != file:
            other.write_text("no database at all, only text " * 50)
        with pytest.raises(isthmus.BadInput, match="newer isthmus" if other == file else "is not a store"):
            isthmus.sweep(DAS_4X1, "barrier", store=other, progress=False)
    assert file.read_bytes() == before


def test_an_address_of_no_scheduler_is_named():
    pytest.importorskip("distributed")
    with pytest.raises(
        isthmus.BadInput, match="executor: 'foo': .*; the address of a scheduler, as 'tcp://node1:8786'"
    ):
        isthmus.sweep(DAS_4X1, "barrier", executor="foo", progress=False)


@pytest.mark.parametrize(
    "arguments, kind, says",
    [
        (dict(sources="replya"), isthmus.BadInput, "sources: 'replya'; "),
        (dict(collectives=None), isthmus.BadInput, "collectives: neither"),
        (
            dict(algorithms="kielman"),
            isthmus.BadInput,
            "algorithms: 'kielman' is no algorithm of broadcast; did you mean `kielmann`? ",
        ),
        (
            dict(collectives=["broadcast", "alltoall"], algorithms="brucks:radix=3"),
            isthmus.BadInput,
            "is no algorithm of broadcast, alltoall; did you mean `bruck`? ",
        ),
        (
            dict(collectives="broadcast/chain", algorithms="chain"),
            isthmus.BadInput,
            "'broadcast/chain' names an algorithm, and algorithms are given too; 'broadcast' would be right",
        ),
        (dict(algorithms="reduce/chain"), isthmus.BadInput, "algorithms: 'reduce/chain' is none of broadcast"),
        (dict(roots=[99]), isthmus.BadInput, "roots: 99; ranks of das-4x1 are 0 to 3"),
        (dict(roots="0"), TypeError, "roots: '0' is str"),
        (dict(where=lambda point: False), isthmus.BadInput, "where: no point is left"),
        (dict(where=3), TypeError, "where: 3 is int"),
        (dict(workers=0), isthmus.BadInput, "workers: 0"),
        (dict(platforms=[]), isthmus.BadInput, "platforms: is empty"),
        (dict(executor=7), TypeError, "executor: 7 is int"),
        (dict(store=7), TypeError, "file: 7 is int"),
        (dict(bytes="0..x"), isthmus.BadInput, "bytes: "),
    ],
)
def test_bad_arguments_are_named(arguments, kind, says):
    with pytest.raises(kind) as caught:
        isthmus.sweep(**{"platforms": DAS_4X1, "collectives": "broadcast", "bytes": 1, "progress": False, **arguments})
    assert says in str(caught.value)


def test_dask_gives_the_same_rows(undisturbed, tmp_path):
    distributed = pytest.importorskip("distributed")
    file = tmp_path / "store.sqlite"
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        isthmus.sweep(**SWEEP, store=file, executor=cluster.scheduler_address)
        with distributed.Client(cluster) as client:
            isthmus.sweep(**SIMULATED, store=file, executor=client)
    assert rows(file) == rows(undisturbed[0])


# The replays of plans with nothing left to choose.
WHOLE = [
    algorithm.name + (":segment=none" if "segment" in algorithm.parameters else "")
    for algorithm in isthmus.collective("broadcast")
]


def swept(store, sizes, source):
    """The number of rows of all broadcasts over these sizes, and the seconds that two workers took."""
    begin = time.monotonic()
    frame = isthmus.sweep(
        PLATFORMS / "kielmann2000/das-4x16.xml",
        "broadcast",
        WHOLE,
        bytes=sizes,
        sources=source,
        store=store,
        progress=False,
        workers=2,
    )
    took_s = time.monotonic() - begin
    print(f"{len(frame)} {source} points, 64 ranks: {took_s:.1f} s")
    return len(frame), took_s


@pytest.mark.slow
def test_ten_thousand_replays_take_less_than_a_minute(tmp_path):
    points, took_s = swept(tmp_path / "s.sqlite", [*range(1, 1 << 20, 1150)][: 909 + 100], "replay")
    assert points >= 10000 and took_s < 60


@pytest.mark.slow
def test_five_hundred_simulations_of_64_ranks_take_less_than_three_minutes(tmp_path):
    points, took_s = swept(tmp_path / "s.sqlite", [*range(1, 1 << 20, 22310)][:46], "smpi")
    assert points >= 500 and took_s < 180
