"""Pictures of frames that mix calls, and of odd values: what is drawn is what the table has."""

import math
import threading
import time
from itertools import pairwise

import pytest

import isthmus

matplotlib = pytest.importorskip("matplotlib")
pandas = pytest.importorskip("pandas")
from isthmus import pictures  # noqa: E402

CALL = ["network_digest", "placement", "root"]


@pytest.fixture(scope="module")
def mixed(das):
    """Two networks of one name, two placements, two roots."""
    faster = das.with_links("wan-*", bandwidth="x4", name=das.name)
    frames = [
        platform.predict(["broadcast/magpie", "broadcast/binomial"], "1Ki,1Mi", root=root, models=["plogp", "replay"])
        for platform in (das, das.placed(placement="cyclic"), faster)
        for root in (0, 5)
    ]
    return pandas.concat(frames)  # with equal labels of rows


def points(picture, length=2):
    """The values of all lines of so many points."""
    lines = [line for axis in picture.axes for line in axis.get_lines() if is_of_plan(line, length)]
    return sorted(y for line in lines for y in line.get_ydata())


def is_of_plan(line, length=2):
    return len(line.get_ydata()) == length and line.get_color() != pictures.style.SOFT


def test_networks_placements_and_roots_have_panels_of_their_own(mixed):
    replay = mixed[mixed.source == "replay"]
    picture = pictures.completion_time(replay)
    titles = [axis.get_title("left").replace("\n", " ") for axis in picture.axes]
    assert len(titles) == 6 and titles[0].endswith("16 ranks, network e58c15d6, placement 1: 0-15, root 0")
    assert points(picture) == sorted(replay.seconds)
    bounds = [line.get_ydata()[0] for axis in picture.axes for line in axis.get_lines() if not is_of_plan(line)]
    assert bounds == [part.bound_seconds.iloc[0] for _, part in replay.groupby(CALL, sort=False)]


def test_ratios_and_errors_are_those_of_one_call(mixed):
    replay = mixed[mixed.source == "replay"]
    table = isthmus.speed_up(replay, "binomial")
    assert points(pictures.speed_up(replay, "binomial")) == sorted(table.speed_up[table.algorithm == "magpie"])
    magpie = mixed[mixed.algorithm == "magpie"].set_index([*CALL, "bytes"])
    plogp, replayed = (magpie.seconds[magpie.source == source] for source in ("plogp", "replay"))
    assert points(pictures.error(magpie.reset_index(), "replay")) == pytest.approx(
        sorted(100 * (plogp / replayed - 1)), abs=1e-9
    )
    with pytest.raises(TypeError, match="over: None is NoneType; a plan"):
        pictures.speed_up(replay, None)


def test_rows_without_root_or_network_stay_with_the_others(mixed):
    one = mixed[(mixed.root == 0) & (mixed.placement == "0-15")].drop_duplicates(["algorithm", "bytes", "source"])
    paper = one[one.source == "replay"][["platform", "collective", "algorithm", "bytes", "ranks", "seconds"]]
    both = pandas.concat([one, paper.assign(source="paper")])
    assert len(pictures.completion_time(both).axes) == len(pictures.error(both, "paper").axes) == 1


def test_two_placements_at_one_number_of_ranks_are_refused(das):
    placed = [das.placed(ranks=ranks, placement=how) for ranks in (4, 8) for how in ("block", "cyclic")]
    frame = isthmus.sweep(placed, "broadcast", "binomial", bytes=8, roots=[0, 1], progress=False, workers=1)
    with pytest.raises(isthmus.BadInput, match="differ in placement .*; one of them would be right"):
        pictures.completion_time(frame, over="ranks")
    picture = pictures.completion_time(frame[::2].drop_duplicates(["ranks", "root"]), over="ranks")
    assert len(picture.axes) == 1
    picture = pictures.completion_time(frame.drop_duplicates(["ranks", "root"]), over="ranks")
    assert [axis.get_title("left")[-6:] for axis in picture.axes] == ["root 0", "root 1"]


def test_categories_are_drawn_as_their_values(mixed):
    plain = mixed[mixed.source == "replay"]
    names = dict.fromkeys(("platform", "collective", "algorithm", "source", "placement"), "category")
    assert points(pictures.completion_time(plain.astype(names))) == points(pictures.completion_time(plain))
    one = plain[(plain.root == 0) & (plain.placement == "0-15")].drop_duplicates(["algorithm", "bytes"])
    assert len(pictures.decision_map(one.astype(names)).axes[0].patches) == 2


def frame_of(*seconds, **more):
    """A table of one plan over doubling sizes."""
    call = {"platform": "p", "collective": "allreduce", "algorithm": "ring", "source": "replay", "ranks": 16, **more}
    return pandas.DataFrame([{**call, "bytes": 2**i, "seconds": time} for i, time in enumerate(seconds)])


def shown_ticks(axis):
    """The labels of the vertical axis that are in sight."""
    axis.figure.draw_without_rendering()
    low, high = axis.get_ylim()
    return [tick.get_text() for tick in axis.get_yticklabels() if low <= tick.get_position()[1] <= high]


@pytest.mark.parametrize("narrow", [1e-2, 1e-4, 1e-6])
def test_no_two_ticks_of_a_time_axis_have_the_same_label(narrow):
    labels = shown_ticks(pictures.completion_time(frame_of(0.01, 0.01 * (1 + narrow))).axes[0])
    assert len(set(labels)) == len(labels) >= 3 and all(label.endswith(" ms") for label in labels)
    assert shown_ticks(pictures.completion_time(frame_of(0.01, 0.1)).axes[0]) == ["10 ms", "20 ms", "50 ms", "100 ms"]


@pytest.mark.parametrize("least, greatest", [(0.084, 0.184), (0.11, 0.14), (0.015, 0.56), (0.001, 0.11), (0.001, 90)])
def test_a_logarithmic_axis_has_three_ticks_or_more(least, greatest):
    assert len(shown_ticks(pictures.completion_time(frame_of(least, greatest)).axes[0])) >= 3
    quicker = pandas.concat([frame_of(1.0, 1.0), frame_of(1 / (5 * least), 1 / (5 * greatest), algorithm="binomial")])
    assert len(shown_ticks(pictures.speed_up(quicker, "ring").axes[0])) >= 3


def test_sizes_do_not_overlap_where_names_of_lines_take_room():
    frame = frame_of(*(0.01 * 1.2**i for i in range(21)), algorithm="chain:segment=none")
    picture = pictures.completion_time(pandas.concat([frame, frame_of(0.01, 0.02)]))
    picture.draw_without_rendering()
    boxes = [label.get_window_extent() for label in picture.axes[0].get_xticklabels() if label.get_text()]
    assert len(boxes) >= 3 and all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_times_of_zero_are_drawn_and_infinite_ones_left_out():
    (axis,) = pictures.completion_time(frame_of(0.0, 0.0)).axes
    labels = shown_ticks(axis)
    assert axis.get_yscale() == "linear" and labels[0] == "0" and len(set(labels)) == len(labels)
    assert axis.get_position().width > 0.5
    (axis,) = pictures.completion_time(frame_of(1.0, math.inf, 2.0)).axes
    assert axis.get_lines()[0].get_ydata().tolist() == [1, 2]
    partly = pandas.concat([frame_of(1.0, math.inf), frame_of(1.0, 1.0, algorithm="binomial")])
    picture = pictures.speed_up(partly, "binomial")  # 0 times quicker has no place on its axis
    picture.draw_without_rendering()
    assert points(picture, 1) == [1]
    for draw in (pictures.completion_time, lambda frame: pictures.speed_up(frame, "ring")):
        with pytest.raises(isthmus.BadInput, match="none of its rows has a finite number|is the only plan"):
            draw(frame_of(math.inf, math.inf))
    both = pandas.concat([frame_of(0.0, math.inf), frame_of(0.0, 1.0, algorithm="binomial")])
    assert [text.get_text() for text in pictures.decision_map(both).axes[0].texts] == ["0"]


def test_a_single_point_has_its_bound():
    (axis,) = pictures.completion_time(frame_of(1.0, bound_seconds=0.5)).axes
    (bound,) = [line for line in axis.get_lines() if line.get_label() == "lower bound"]
    assert bound.get_marker() == "_" and bound.get_markersize() > 10


def is_inside(picture):
    """Whether all texts are inside the figure."""
    picture.draw_without_rendering()
    width, height = picture.canvas.get_width_height()
    boxes = [
        matplotlib.text.Text.get_window_extent(text)
        for axis in picture.axes
        for text in (axis.title, axis._left_title, *axis.texts)
        if text.get_text()
    ]
    return all(box.x0 >= -1 and box.x1 <= width + 1 and box.y0 >= -1 and box.y1 <= height + 1 for box in boxes)


def test_titles_and_captions_are_not_cut_off(das):
    packed = das.choose("broadcast", "1Mi")
    assert len(packed.plan) > 60
    alone = isthmus.clusters([5], wan_latency_s=0.01, wan_bandwidth_Bps=1e6, name="alone")
    changed = das.with_links("wan-c0-*", bandwidth="x2", latency="50ms").with_links("wan-c1-*", bandwidth="x2")
    for picture in (
        pictures.timeline(packed),
        pictures.timeline(packed, width="column"),
        pictures.tree_on_map(das, packed, width="column"),
        pictures.network_map(alone),
        pictures.network_map(changed, width="column"),
        pictures.tree_on_map(alone, alone.schedule("broadcast/binomial", 8)),
        pictures.completion_time(changed.predict("broadcast/magpie", "1,1Ki"), labels="legend", width="column"),
    ):
        assert is_inside(picture)


def test_break_downs_have_a_panel_for_each_collective_and_no_two_bars_of_one_name(das):
    frames = [das.explain(collective, "1Mi", parts=True) for collective in ("broadcast", "allreduce")]
    picture = pictures.breakdown(pandas.concat(frames))
    assert [axis.get_title("left") for axis in picture.axes] == ["broadcast, 1 MiB", "allreduce, 1 MiB"]
    alike = frames[0].head(3).assign(plan=[f"broadcast/packed:packing=0.{i}.0.0:1" for i in range(3)])
    (axis,) = pictures.breakdown(alike).axes
    assert [tick.get_text() for tick in axis.get_yticklabels()] == ["packed (1)", "packed (2)", "packed (3)"]
    with pytest.raises(isthmus.BadInput, match="none of its rows has a finite number"):
        pictures.breakdown(alike.assign(seconds=math.inf))
    assert pictures.breakdown(alike.assign(seconds=0.0)).axes[0].get_xlim() == (0, 1)


def test_names_with_a_dollar_are_no_formulas():
    frame = frame_of(1.0, 2.0, platform="a $x$", algorithm="$y$")
    picture = pictures.decision_map(frame)
    assert not picture.axes[0]._left_title.get_parse_math() and not picture.legends[0].texts[0].get_parse_math()
    axis = matplotlib.figure.Figure().subplots()
    pictures.decision_map(frame, ax=axis)
    assert not axis.title.get_parse_math() and not axis.get_legend().texts[0].get_parse_math()


def test_a_grid_of_axes_is_taken_and_a_negative_number_of_ranks_refused(das):
    grid = matplotlib.figure.Figure().subplots(2, 2)
    frame = pandas.concat([frame_of(1.0, 2.0, platform=name) for name in "abcd"])
    assert pictures.completion_time(frame, ax=grid) is grid and grid[1, 1].get_lines()
    schedule = das.schedule("broadcast/binomial", 8)
    for draw in (
        lambda most: pictures.timeline(schedule, most),
        schedule.tree_svg,
        schedule.timeline_svg,
        schedule.svg,
    ):
        with pytest.raises(isthmus.BadInput, match="max_ranks: -4; a whole number from 1"):
            draw(-4)


def test_a_schedule_of_other_ranks_is_on_no_map(das):
    with pytest.raises(isthmus.BadInput, match="schedule: is for 8 ranks; one of das-4x4, 16, would be right"):
        pictures.tree_on_map(das, das.placed(ranks=8).schedule("broadcast/binomial", 8))


def test_threads_that_draw_leave_the_settings_as_they_were():
    before = dict(matplotlib.rcParams)
    draw = pictures.style.in_look(time.sleep)
    threads = [threading.Thread(target=draw, args=(seconds,)) for seconds in (0.1, 0.3)]
    for thread in threads:
        thread.start()
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    assert dict(matplotlib.rcParams) == before
