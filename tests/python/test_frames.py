"""Tables of results: the best, speed-ups and regret; sweeps that lose no row."""

import warnings

import pytest

import isthmus

pandas = pytest.importorskip("pandas")
PLANS = ["magpie", "kielmann", "binomial"]


@pytest.fixture(scope="module")
def frame(das, small):
    return isthmus.sweep(
        [das, small], "broadcast", PLANS, bytes="1,1Ki,64Ki", sources=["plogp", "replay"], progress=False, workers=1
    )


def test_the_best_of_each_call_are_whole_rows(frame):
    best = isthmus.best(frame)
    assert len(best) == 2 * 2 * 3 and list(best.columns) == list(frame.columns)
    for row in best.itertuples():
        alike = frame.query("platform == @row.platform and bytes == @row.bytes and source == @row.source")
        assert row.seconds == alike.seconds.min()
    assert best.index.is_monotonic_increasing
    assert isthmus.best(frame[frame.platform == "das-4x1"]).platform.unique().tolist() == ["das-4x1"]


def test_speed_ups_are_a_column_and_lose_no_row(frame):
    table = isthmus.speed_up(frame, over="broadcast/binomial")
    assert len(table) == len(frame) and table.drop(columns="speed_up").equals(frame)
    for _, part in table.groupby(["platform", "source", "bytes"]):
        base = part.seconds[part.algorithm == "binomial"]
        assert part.speed_up.isna().all() == base.empty  # plogp has no formula for it
        if len(base):
            assert (base.iloc[0] / part.seconds).tolist() == pytest.approx(part.speed_up.tolist())
    replay = frame[frame.source == "replay"]
    partly = isthmus.speed_up(
        replay.drop(replay.index[replay.eval("algorithm == 'binomial' and bytes == 1")]), "binomial"
    )
    assert partly.speed_up[partly.bytes == 1].isna().all() and partly.speed_up[partly.bytes != 1].notna().all()
    with pytest.raises(
        isthmus.BadInput, match="over: 'ring' is no plan of the frame; one of magpie, kielmann, binomial"
    ):
        isthmus.speed_up(frame, over="ring")


def test_regret_is_the_measured_time_of_the_models_choice_over_the_best(frame):
    table = isthmus.regret(frame, "plogp", "replay")
    assert len(table) == 6 and (table.regret >= 0).all()
    assert (table.seconds / table.best_seconds - 1).tolist() == pytest.approx(table.regret.tolist())
    wrong = frame.copy()
    wrong.loc[(wrong.source == "plogp") & (wrong.algorithm == "kielmann"), "seconds"] = 1e-9
    table = isthmus.regret(wrong, "plogp", "replay")
    assert set(table.chosen) == {"kielmann"} and (table.regret > 0).any()
    with pytest.raises(isthmus.BadInput, match="measured: no row is from 'smpi'; there are plogp, replay"):
        isthmus.regret(frame, "plogp", "smpi")
    with pytest.raises(isthmus.BadInput, match="has no column seconds"):
        isthmus.regret(frame.drop(columns="seconds"), "plogp", "replay")


def test_auto_and_all_mean_what_they_mean_on_the_command_line(das):
    auto = isthmus.sweep(das, ["broadcast", "allreduce"], "auto", bytes="1,64Ki", progress=False)
    alone = isthmus.sweep(das, ["broadcast", "allreduce"], bytes="1,64Ki", progress=False)
    predicted = das.predict(["broadcast", "allreduce/auto"], "1,64Ki", models="replay")
    assert auto.plan.tolist() == alone.plan.tolist() == predicted.plan.tolist()
    assert set(auto.requested) == {"auto"}
    every = isthmus.sweep(das, "allgather", "all", bytes="1Ki", progress=False)
    assert every.plan.tolist() == das.predict("allgather/all", "1Ki", models="replay").plan.tolist()
    both = isthmus.sweep(das, "allgather", ["auto", "all"], bytes="1Ki", progress=False)
    assert len(both) == len(every) + 1


# A simulation that takes longer than a second fails.
SLOW = "chain:segment=1"
TIMEOUT = {"progress": False, "workers": 2, "timeout_s": 1}


def test_no_row_of_a_sweep_is_lost(das, small):
    arguments = {"bytes": "64,256Ki", "sources": ["hockney", "replay", "smpi"], **TIMEOUT}
    plans, odd = ["auto", "binomial", "mpi:selector=ompi", SLOW], small.placed(ranks=3)

    def sizes(point):
        return point.algorithm.endswith(SLOW) <= (point.platform == "das-4x4" and point.source == "smpi")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", isthmus.IsthmusWarning)
        frame = isthmus.sweep([das, odd], "broadcast", plans, errors="keep", where=sizes, **arguments)
    assert len(frame) == 2 * 3 * 3 * 2 + 2
    assert frame[["platform", "source"]].drop_duplicates().values.tolist() == [
        [platform, source] for platform in ("das-4x4", "das-4x1") for source in ("hockney", "replay", "smpi")
    ]
    assert (frame.error.isna() == frame.seconds.notna()).all()
    failed = frame[frame.requested == SLOW]
    assert failed.error[failed.bytes == 1 << 18].str.contains("after 1 s").all()
    assert (
        frame[frame.requested.str.startswith("mpi") & (frame.source != "smpi")].error.str.startswith("no answer").all()
    )
    dropped = isthmus.sweep(
        [das, odd], "broadcast", plans, where=lambda point: sizes(point) and SLOW not in point.algorithm, **arguments
    )
    kept = frame[frame.error.isna() & (frame.requested != SLOW)].reset_index(drop=True)
    assert kept.seconds.tolist() == dropped.seconds.tolist() and kept.plan.tolist() == dropped.plan.tolist()
    assert isthmus.best(frame).seconds.notna().all()


def test_a_failed_point_is_named_with_platform_plan_and_size(das):
    arguments = {"bytes": "256Ki", "sources": "smpi", **TIMEOUT}
    named = "das-4x4, broadcast/chain:segment=1, 256 KiB, smpi: "
    with pytest.raises(isthmus.Refused, match="1 of 2 points failed; the first: " + named):
        isthmus.sweep(das, "broadcast", ["binomial", SLOW], errors="raise", **arguments)
    with pytest.warns(isthmus.IsthmusWarning, match=named + ".*the column error") as caught:
        frame = isthmus.sweep(das, "broadcast", [SLOW, "binomial"], errors="keep", **arguments)
    assert frame.requested.tolist() == [SLOW, "binomial"] and frame.seconds.isna().tolist() == [True, False]
    assert caught[0].message.kind == "failed_points" and len(frame.attrs["failed"]) == 1
    with pytest.raises(isthmus.BadInput, match="errors: 'ignore'; warn, keep, raise"):
        isthmus.sweep(das, "broadcast", errors="ignore", **arguments)


def test_rows_without_a_time_name_their_own_network_and_placement(das):
    faster = das.with_links("wan-*", bandwidth="x4", name=das.name)
    platforms = [das, faster, das.placed(ranks=8, placement="cyclic")]
    frame = isthmus.sweep(
        platforms, "broadcast", ["binomial", "mpi:selector=ompi"], bytes=8, errors="keep", progress=False, workers=1
    )
    assert frame.seconds.isna().tolist() == [False, True] * 3
    for column in ("network_digest", "placement"):
        assert frame[column].tolist()[::2] == frame[column].tolist()[1::2]
    assert frame.network_digest.nunique() == frame.placement.nunique() == 2
