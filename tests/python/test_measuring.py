"""Calibration, discovery and decision tables from Python."""

import json

import pytest

import isthmus


def test_calibrate_gives_the_platform_with_measured_costs(das):
    calibration = isthmus.calibrate(das, most="64Ki")
    frame = calibration.frame()
    assert frame["class"].unique().tolist() == ["site", "wide area"]
    assert {"latency_s", "gap_s", "gap_half_width_s", "send_overhead_s", "receive_overhead_s"} <= set(frame.columns)
    last = frame[frame["class"] == "wide area"].iloc[-1]
    assert (last.bytes, last.latency_s, last.gap_s) == (
        65536,
        pytest.approx(10.02e-3, rel=0.01),
        pytest.approx(65636e-6, rel=0.01),
    )
    assert calibration.parameters().set_index("class").gap_s_per_byte["site"] == pytest.approx(20e-9, rel=0.01)
    what = "broadcast/kielmann:segment=4Ki,wan-degree=3,lan-degree=2"
    known, found = (
        platform.predict(what, "1,64Ki", models="replay").seconds for platform in (das, calibration.platform)
    )
    assert calibration.platform.name == "das-4x4-calibrated" and found.tolist() == pytest.approx(
        known.tolist(), rel=0.01
    )


def test_discover_finds_the_groups_of_a_platform_that_it_was_not_told(das):
    found = isthmus.discover(das.placed(placement="cyclic"), most="64Ki")
    assert (found.name, found.ranks, found.layers().clusters) == ("das-4x4-discovered", 16, 4)
    assert found.hosts().host[:4].tolist() == ["c0-0", "c1-0", "c2-0", "c3-0"]
    assert found.layers().wan.latency_s == pytest.approx(0.01002, rel=0.005)  # without the time of a header
    assert found.schedule("broadcast/magpie", 8).totals()["wide_area_messages"] == 3


def test_discover_tells_how_well_the_network_fits_each_measurement(das):
    found, routes = isthmus.discover_with_routes(das, most="64Ki", rounds=True, under_load=False, budget_s=600)
    assert found.layers().clusters == 4 and len(routes) >= 16 * 15 // 2
    assert routes.latency_residual.abs().max() < 0.02 and routes.rate_residual.abs().max() < 0.05
    svg = isthmus.residuals_svg(found, routes)
    pairs = {frozenset(pair) for pair in zip(routes["from"], routes.to, strict=True)}
    assert svg.startswith("<svg") and svg.count("<title>") == 2 * len(pairs) + (routes.rate_Bps > 0).sum()
    with pytest.raises(isthmus.BadInput, match="a host of the network"):
        isthmus.residuals_svg(found, routes.assign(to="c9-9"))
    with pytest.raises(TypeError, match="round: no argument of discover"):
        isthmus.discover_with_routes(das, round=True)


def test_discover_tells_what_several_streams_got_at_once(das):
    _, routes, loads = isthmus.discover_with_routes(das, most="64Ki", loads=True)
    assert list(loads.columns) == ["streams", "from", "to", "rate_Bps", "found_rate_Bps", "rate_residual"]
    assert len(routes) > 0 and len(loads) > 0 and (loads.streams > 1).all() and (loads.rate_Bps > 0).all()
    assert loads.rate_residual.abs().median() < 0.05


def test_discover_finds_subnets_by_the_rule_of_eco(das):
    found = isthmus.discover(das, rule="eco:1.5", most="64Ki")
    assert found.groups().query("level == 1").ranks.tolist() == das.groups().query("level == 1").ranks.tolist()


def test_tune_finds_a_table_that_other_programs_read(das, tmp_path):
    decisions = isthmus.tune(das, ["broadcast", "allreduce"], "8,64Ki", roots=[0, 4])
    frame = decisions.frame()
    # Of plans within 1 % of the quickest the one with fewest messages is taken: a runner-up may be so much quicker.
    quicker = frame.runner_up_percent.dropna()
    assert len(frame) == 6 and (quicker >= 100 / 1.01 - 100).all()
    for row in frame[frame.runner_up_percent < 0].itertuples():
        seconds = das.explain(row.collective, row.bytes, root=row.root, thorough=True).seconds
        assert row.seconds <= 1.01 * seconds.min()
    explained = das.explain("broadcast", "64Ki", root=4).iloc[0]
    row = frame.query("collective == 'broadcast' and root == 4 and bytes == 65536").iloc[0]
    assert (f"broadcast/{row.plan}", row.seconds) == (explained.plan, explained.seconds)
    assert decisions.plan("broadcast", "50Ki", root=4) == explained.plan
    decisions.save(tmp_path / "table.json")
    assert isthmus.DecisionTable.read(das, tmp_path / "table.json").frame().equals(frame)
    assert json.loads(decisions.export("mpich")) and "# bcast" in decisions.export("openmpi")
    with pytest.raises(isthmus.Refused, match="another topology"):
        isthmus.DecisionTable.read(das.placed(ranks=5), tmp_path / "table.json")


def test_tune_by_simulation_is_what_the_program_finds(small):
    frame = isthmus.tune(small, "broadcast", "1Ki", by="smpi", max_plans=2, close_percent=1000).frame()
    assert frame.by.tolist() == ["smpi"] and frame.seconds[0] == pytest.approx(0.0112, rel=0.02)


@pytest.mark.parametrize(
    "call, kind, says",
    [
        (lambda p: isthmus.calibrate("das.xml"), TypeError, "platform: 'das.xml' is str; a Platform"),
        (lambda p: isthmus.calibrate(p, "real"), isthmus.BadInput, "world: 'real'; smpi, emulated"),
        (lambda p: isthmus.calibrate(p, most="1Mi,2Mi"), isthmus.BadInput, "most: '1Mi,2Mi' is 2 sizes"),
        (lambda p: isthmus.calibrate(p, repetitions=1), isthmus.BadInput, "repetitions: 1; a whole number from 3"),
        (lambda p: isthmus.discover(p, alike=0.5), isthmus.BadInput, "alike: 0.5; a number from 1 to 1000"),
        (lambda p: isthmus.discover(p, answer_s=-1), isthmus.BadInput, "answer_s: -1"),
        (lambda p: isthmus.discover(p, rule="eco:0"), isthmus.BadInput, "rule eco:0: levels, eco, or eco:THRESHOLD"),
        (
            lambda p: isthmus.discover(p, launcher=["mpirun"]),
            isthmus.BadInput,
            "launcher: belongs to the machines at hand",
        ),
        (
            lambda p: isthmus.discover(launcher=["no-such-launcher"]),
            isthmus.BadInput,
            "`no-such-launcher`: no such command",
        ),
        (lambda p: isthmus.discover(launcher=[3]), TypeError, "launcher: 3 is int"),
        (lambda p: isthmus.discover(p.placed(ranks=1)), isthmus.BadInput, "two hosts or more"),
        (lambda p: isthmus.tune("das", "broadcast"), TypeError, "platform: 'das' is str"),
        (lambda p: isthmus.tune(p, "broadcst"), isthmus.BadInput, "did you mean `broadcast`"),
        (lambda p: isthmus.tune(p, "broadcast", roots=16), isthmus.BadInput, "roots: 16; a whole number from 0 to 15"),
        (lambda p: isthmus.tune(p, "broadcast", by="logp"), isthmus.BadInput, "by: 'logp'; replay, smpi, emulated"),
        (lambda p: isthmus.tune(p, "barrier", 1).export("pdf"), isthmus.BadInput, "as_: 'pdf'; json, openmpi"),
        (
            lambda p: isthmus.tune(p, "barrier", 1).plan("reduce", 8),
            isthmus.BadInput,
            "collective: reduce is not in the table",
        ),
    ],
)
def test_bad_input_is_named(das, call, kind, says):
    with pytest.raises(kind) as caught:
        call(das)
    assert says in str(caught.value) and "\n" not in str(caught.value)
