"""Objects as values: compared by what is in them, hashed alike, whole in copies and in other processes."""

import copy
import multiprocessing
import pickle
import tempfile

import pytest
from conftest import PLATFORMS

import isthmus

pytest.importorskip("pandas")
PATHS = [["a", "x"], ["b", "x"], ["a", "y"]]


def channels(name="default"):
    """Those of Aumage 2003; `name` is that of the virtual channel."""
    folder = PLATFORMS / "aumage2003"
    with tempfile.NamedTemporaryFile("w", suffix=".cfg") as file:
        file.write(
            (folder / "channels.cfg").read_text().replace("include  : networks.cfg;", "").replace("default", name)
        )
        file.flush()
        return isthmus.Channels(folder / "networks.cfg", file.name)


# How an object is made of a platform; made once more it is equal. The last makes another one.
VALUES = {
    "Network": (
        lambda p: isthmus.Network.from_json(p.network.to_json()),
        lambda p: p.with_links("*", latency_s=1).network,
    ),
    "Topology": (lambda p: p.placed().topology, lambda p: p.placed(ranks=8).topology),
    "Topology.from_paths": (lambda p: isthmus.Topology.from_paths(PATHS), lambda p: isthmus.Topology.flat(3)),
    "PLogP": (lambda p: p.plogp(0, 4), lambda p: p.plogp(0, 1)),
    "Layers": (lambda p: p.layers(), lambda p: p.with_links("*", latency_s=1).layers()),
    "Algorithm": (lambda p: isthmus.collective("gather")["linear"], lambda p: isthmus.collective("scatter")["linear"]),
    "Collective": (lambda p: isthmus.collective("gather"), lambda p: isthmus.collective("scatter")),
    "Platform": (lambda p: p.placed(ranks=8), lambda p: p),
    "Schedule": (lambda p: p.schedule("gather/linear", 64), lambda p: p.schedule("gather/linear", 64, element_bytes=8)),
    "Schedule, chosen": (lambda p: p.choose("allreduce", "64Ki"), lambda p: p.choose("allreduce", "128Ki")),
    "Schedule, placed": (lambda p: p.placed().choose("gather", 8), lambda p: p.placed(ranks=8).choose("gather", 8)),
    "DecisionTable": (lambda p: isthmus.tune(p, "reduce", "1,1Ki"), lambda p: isthmus.tune(p, "reduce", "1")),
    "Channels": (lambda p: channels(), lambda p: channels("other")),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_objects_are_equal_by_what_is_in_them_and_come_whole_out_of_copies(das, name):
    make, make_another = VALUES[name]
    value, again, another = make(das), make(das), make_another(das)
    assert value == again and hash(value) == hash(again)
    assert value != another and value != repr(value)
    for copied in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert copied == value and hash(copied) == hash(value) and repr(copied) == repr(value)
    assert type(value).__name__ in repr(value) and " at 0x" not in repr(value)


def times(schedule, layer):
    return schedule.replay(), schedule.operations().to_csv(), layer.gap_s(1000)


def test_schedules_and_layers_do_the_same_in_another_process(das):
    for plan in ("broadcast/all", "allreduce/all"):
        for name in das.predict(plan, 4096, models="replay").algorithm.unique():
            schedule, layer = das.schedule(f"{plan.partition('/')[0]}/{name}", 4096, element_bytes=8), das.plogp(0, 4)
            assert times(*pickle.loads(pickle.dumps((schedule, layer)))) == times(schedule, layer)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(times, (schedule, layer)).get(timeout=60) == times(schedule, layer)


def test_a_layer_is_made_of_points():
    layer = isthmus.PLogP(0.01, [(0, 0)], [(0, 0)], [(0, 0.001), (1000, 0.002)])
    assert layer.receive_time_s(500) == pytest.approx(0.0115)
    assert repr(layer) == "<isthmus.PLogP: latency 10 ms, gap of 1 KiB 2.02 ms>"
    with pytest.raises(isthmus.BadInput, match="point 1 .0 B. must lie beyond"):
        isthmus.PLogP(0.01, [(0, 0)], [(0, 0)], [(0, 0), (0, 0)])
