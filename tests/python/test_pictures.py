"""Pictures: what is drawn is what the table says, with units, in colours that everybody can tell apart."""

import pytest

import isthmus

pytest.importorskip("matplotlib")
from isthmus import pictures  # noqa: E402
from isthmus.pictures import style  # noqa: E402

PLANS = ["broadcast/kielmann", "broadcast/magpie", "broadcast/binomial"]


@pytest.fixture(scope="module")
def frame(das, small):
    return isthmus.sweep([das, small], algorithms=PLANS, bytes="1..4Mi", sources=["plogp", "replay"], progress=False, workers=1)


@pytest.fixture(scope="module")
def by_ranks(das):
    return isthmus.sweep([das.placed(ranks=ranks) for ranks in (2, 3, 8, 16)], algorithms=PLANS, bytes="1,1Ki,1Mi",
                         sources=["plogp", "replay"], progress=False, workers=1)


def drawn(picture, tmp_path):
    """The picture as the text of an SVG, which has all its labels, and as a PNG of some size."""
    picture.savefig(tmp_path / "p.svg")
    assert len(picture._repr_png_()) > 5000
    return (tmp_path / "p.svg").read_text()


def test_completion_time_draws_every_row(frame, tmp_path):
    picture = pictures.completion_time(frame)
    svg = drawn(picture, tmp_path)
    for text in ("das-4x4, broadcast, 16 ranks", "das-4x1, broadcast, 4 ranks", "kielmann", "lower bound", "replay", "1 MiB",
                 "100 ms", "completion time", "message size"):
        assert f">{text}<" in svg, text
    points = sum(len(line.get_xdata()) for axis in picture.axes for line in axis.get_lines())
    assert points == len(frame) + 2 * 23  # and a bound in each panel


def test_speed_up_and_distance_are_ratios_of_the_table(frame, tmp_path):
    replay = frame[frame.source == "replay"]
    picture = pictures.speed_up(replay, "magpie")
    line = next(line for line in picture.axes[0].get_lines() if len(line.get_ydata()) == 23)
    cells = replay[replay.platform == "das-4x4"].set_index(["requested", "bytes"]).seconds
    assert line.get_ydata()[-1] == pytest.approx(cells["magpie", 1 << 22] / cells["kielmann", 1 << 22])
    assert "speed-up over magpie" in drawn(picture, tmp_path)
    assert "time / lower bound" in drawn(pictures.distance_to_bound(replay), tmp_path)


def test_error_is_in_percent_of_the_reference(frame, tmp_path):
    picture = pictures.error(frame, "replay", (3, ))
    assert "difference from replay (%)" in drawn(picture, tmp_path)
    assert max(abs(y) for axis in picture.axes for line in axis.get_lines() for y in line.get_ydata()) < 5


def test_maps_show_the_quickest_and_what_a_wrong_choice_costs(by_ranks, tmp_path):
    svg = drawn(pictures.decision_map(by_ranks), tmp_path)
    for text in ("quickest by plogp", "quickest by replay", "number of ranks", "1 KiB"):
        assert text in svg
    table = pictures.penalties(by_ranks, "plogp", "replay")
    assert len(table) == 12 and (table.penalty_percent >= 0).all()
    replay = by_ranks[by_ranks.source == "replay"].set_index(["ranks", "bytes", "requested"]).seconds.sort_index()
    for row in table.itertuples():
        assert row.best_seconds == replay[row.ranks, row.bytes].min()
        assert row.seconds == replay[row.ranks, row.bytes, row.chosen]
    assert "penalty (%)" in drawn(pictures.penalty_map(by_ranks, "plogp", "replay"), tmp_path)


def test_networks_trees_and_timelines(das, tmp_path):
    svg = drawn(pictures.network_map(das), tmp_path)
    assert "between sites: 10 ms, 1 MB/s" in svg and "inside a site: 20 us, 50 MB/s" in svg
    schedule = das.schedule("broadcast/kielmann", "256Ki")
    assert "48 between sites" in drawn(pictures.tree_on_map(das, schedule), tmp_path)
    picture = pictures.timeline(schedule)
    assert len(picture.axes[0].patches) == schedule.totals()["messages"]
    assert "time since the common start" in drawn(picture, tmp_path)
    assert "gap g" in drawn(pictures.parameter_curves(das), tmp_path)


@pytest.mark.parametrize("draw, says", [
    (lambda frame: pictures.completion_time(frame.drop(columns="seconds")), "has no column seconds; completion_time needs"),
    (lambda frame: pictures.completion_time(frame[:0]), "has no rows"),
    (lambda frame: pictures.completion_time(frame, over="time"), "over: 'time'; bytes or ranks"),
    (lambda frame: pictures.speed_up(frame, "ring"), "over: 'ring' is no plan of the frame; there are kielmann"),
    (lambda frame: pictures.error(frame, "smpi"), "against: no row is from 'smpi'; there are plogp, replay"),
    (lambda frame: pictures.penalty_map(frame, "hockney", "replay"), "model: no row is from 'hockney'"),
    (lambda frame: pictures.parameter_curves({}), "layers: is empty"),
])
def test_bad_input_is_named(frame, draw, says):
    with pytest.raises(isthmus.BadInput) as caught:
        draw(frame)
    assert says in str(caught.value)


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055)**2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_stands_out_from_the_paper_and_has_a_marker_of_its_own():
    for colour in style.PALETTE:
        assert 1.05 / (luminance(colour) + 0.05) >= 3  # WCAG's least for graphics
    assert len(set(style.MARKERS)) == len(style.PALETTE) == len(set(style.PALETTE))
