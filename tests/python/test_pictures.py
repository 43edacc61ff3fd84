"""Pictures draw the values of the table, with units, in colours for every kind of colour vision."""

import html
import json
import re

import pytest

import isthmus

pytest.importorskip("matplotlib")
pandas = pytest.importorskip("pandas")
from isthmus import pictures  # noqa: E402
from isthmus.pictures import style  # noqa: E402

PLANS = ["broadcast/kielmann", "broadcast/magpie", "broadcast/binomial:segment=none"]


@pytest.fixture(scope="module")
def frame(das, small):
    return isthmus.sweep(
        [das, small], algorithms=PLANS, bytes="1..4Mi", sources=["plogp", "replay"], progress=False, workers=1
    )


@pytest.fixture(scope="module")
def by_ranks(das):
    return isthmus.sweep(
        [das.placed(ranks=ranks) for ranks in (2, 3, 8, 16)],
        algorithms=PLANS,
        bytes="1,1Ki,1Mi",
        sources=["plogp", "replay"],
        progress=False,
        workers=1,
    )


def drawn(picture, tmp_path):
    """The picture as the text of an SVG, which has all its labels, and as a PNG of some size."""
    picture.savefig(tmp_path / "p.svg")
    assert len(picture._repr_png_()) > 5000
    return (tmp_path / "p.svg").read_text()


def test_completion_time_draws_every_row(frame, tmp_path):
    picture = pictures.completion_time(frame)
    svg = drawn(picture, tmp_path)
    for text in (
        "das-4x4, broadcast, 16 ranks",
        "das-4x1, broadcast, 4 ranks",
        "kielmann",
        "lower bound",
        "replay",
        "1 MiB",
        "100 ms",
        "completion time",
        "message size",
    ):
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
    picture = pictures.error(frame, "replay", (3,))
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


@pytest.fixture(scope="module")
def validated(das, tmp_path_factory):
    """An experiment's report, and its records as a table: (text of the page, frame)."""
    folder = tmp_path_factory.mktemp("validated")
    (folder / "e.json").write_text(
        json.dumps(
            {
                "name": "e",
                "title": "t",
                "platforms": [das.file()],
                "algorithms": PLANS,
                "sizes": "1,1Ki,64Ki,1Mi",
                "sources": ["plogp", "replay"],
                "ranks": [2, 3, 8, 16],
            }
        )
    )
    isthmus.programs.run_isthmus(
        ["validate", str(folder / "e.json"), "--store", str(folder / "s.sqlite"), "--report", str(folder)],
        lambda line: None,
    )
    return (folder / "e.html").read_text(), isthmus.Store(folder / "s.sqlite").frame()


def report_map(page, description):
    """The cells of one of the report's maps: {(ranks, size): (what is told of it, the text in it)}."""
    svg = re.search(rf'<svg[^>]*aria-label="{re.escape(description)}.*?</svg>', page, re.S).group()
    found = {}
    for note, rest in re.findall(r'data-note="([^"]*)">(.*?)</g>', svg, re.S):
        ranks, size, told = re.fullmatch(r"(\d+) ranks, ([^:]*): (.*)", html.unescape(note)).groups()
        text = re.search(r"<text[^>]*>([^<]*)", rest)
        found[int(ranks), size] = told, text.group(1) if text else ""
    return found


def test_the_report_and_the_pictures_show_the_same_decision_maps(validated):
    page, frame = validated
    picture = pictures.decision_map(frame)
    names = {
        (patch.get_facecolor(), patch.get_hatch()): text.get_text()
        for patch, text in zip(picture.legends[0].get_patches(), picture.legends[0].get_texts())
    }
    sizes, ranks = sorted(frame.bytes.unique()), sorted(frame.ranks.unique())
    assert len(picture.axes) == 2 and len(names) > 1
    for source, axis in zip(("plogp", "replay"), picture.axes):
        drawn_cells = {
            (ranks[int(patch.get_y())], isthmus._core.format_bytes(int(sizes[int(patch.get_x())]))): names[
                patch.get_facecolor(), patch.get_hatch()
            ]
            for patch in axis.patches
        }
        reported = report_map(page, f"The quickest algorithm by {source}")
        assert {cell: told.partition(", ")[0] for cell, (told, _) in reported.items()} == drawn_cells
        assert len(reported) == (16 if source == "replay" else len(drawn_cells))


def test_the_report_and_the_pictures_show_the_same_penalties(validated):
    page, frame = validated
    table = pictures.penalties(frame, "plogp", "replay")
    reported = report_map(page, "What the choice by plogp costs by replay")
    expected = {}
    for row in table.itertuples():
        told = f"{row.chosen}, as quick as any"
        if row.penalty_percent >= 0.5:
            seconds = [isthmus._core.format_seconds(value) for value in (row.seconds, row.best_seconds)]
            told = f"{row.chosen} takes {seconds[0]}, {row.best} {seconds[1]}"
        expected[row.ranks, isthmus._core.format_bytes(row.bytes)] = (
            told,
            f"{row.penalty_percent:.0f}" if row.penalty_percent >= 0.5 else "",
        )
    assert reported == expected and len(expected) > 0
    (axis, _) = pictures.penalty_map(frame, "plogp", "replay").axes
    assert sorted(text.get_text() for text in axis.texts) == sorted(text for _, text in reported.values() if text)


def test_the_report_and_the_pictures_show_the_same_speed_ups_and_distances(validated):
    page, frame = validated
    replay = frame[frame.source == "replay"]
    section = page[page.index('data-ranks="16"', page.index("<main")) :]
    for picture, told in (
        (pictures.speed_up(replay, PLANS[-1]), r"takes [^\"]*, ([\d.]+) times"),
        (pictures.distance_to_bound(replay), r": ([\d.]+) times the lower bound"),
    ):
        (axis,) = [axis for axis in picture.axes if "16 ranks" in axis.get_title("left")]
        drawn_values = sorted(
            f"{y:.2f}" for line in axis.get_lines() for y in line.get_ydata() if len(line.get_ydata()) == 4
        )
        # Speed-ups have a chart for each baseline.
        charts = []
        for chart in re.split('<div class="panel"', section):
            baseline = re.search('data-baseline="([^"]*)"', chart.partition(">")[0])
            if baseline is None or baseline[1] == PLANS[-1].partition("/")[2]:
                charts.append(chart)
        reported = sorted(re.findall(rf'data-note="[^"]*{told}', "".join(charts)))
        assert reported == drawn_values and len(reported) >= 8


def test_twelve_panels_fill_the_figure_and_no_two_plans_look_alike(das, tmp_path):
    frame = isthmus.sweep(
        [das.placed(ranks=ranks) for ranks in range(2, 14)], "broadcast", "all", bytes="1,64Ki", progress=False
    )
    for sources in (["replay"], ["replay", "smpi"]):
        picture = pictures.completion_time(pandas.concat([frame.assign(source=source) for source in sources]))
        drawn(picture, tmp_path)
        panels = picture.axes
        assert len(panels) == 12 and all(axis.get_visible() for axis in panels)
        # The legend takes no room from the panels: they are alike, and fill the rows and columns evenly.
        boxes = [axis.get_position() for axis in panels]
        assert max(box.height for box in boxes) < 1.02 * min(box.height for box in boxes)
        assert max(box.width for box in boxes) < 1.02 * min(box.width for box in boxes)
        gaps = [boxes[row * 3].y0 - boxes[(row + 1) * 3].y1 for row in range(3)]
        assert max(gaps) < 0.5 * boxes[0].height
        lines = [line for line in panels[-1].get_lines() if str(line.get_label()) != "lower bound"]
        looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in lines}
        assert len(looks) == len(lines) == len(sources) * frame[frame.ranks == 13].requested.nunique()
        (legend,) = picture.legends
        width, height = picture.canvas.get_width_height()
        box = legend.get_window_extent()
        assert 0 <= box.y0 and box.y1 <= height and box.x1 <= width and box.x0 >= max(b.x1 for b in boxes) * width


def test_names_are_told_apart():
    names = [str(i) for i in range(56)]
    assert len({(one["color"], one["marker"]) for one in style.plan_styles(names).values()}) == 56
    assert len({(one["facecolor"], one["hatch"]) for one in style.cell_styles(names).values()}) == 56


def test_every_collective_and_platform_has_a_decision_map_of_its_own(das, small, tmp_path):
    frame = isthmus.sweep(
        [das, das.placed(ranks=8), small], ["broadcast", "allreduce"], "all", bytes="8,64Ki", progress=False
    )
    picture = pictures.decision_map(frame)
    titles = [axis.get_title("left").split("\n")[0] for axis in picture.axes]
    assert titles == ["broadcast, das-4x4", "allreduce, das-4x4", "broadcast, das-4x1", "allreduce, das-4x1"]
    assert [len(axis.patches) for axis in picture.axes] == [4, 4, 2, 2]
    by_platform = pictures.decision_map(frame[frame.ranks != 8], rows_by="platform")
    assert [axis.get_title("left").split("\n")[0] for axis in by_platform.axes] == ["broadcast", "allreduce"]
    drawn(by_platform, tmp_path)
    table = pictures.penalties(pandas.concat([frame, frame.assign(source="plogp")]), "plogp", "replay")
    assert len(table) == 12 and set(table.platform) == {"das-4x4", "das-4x1"} and (table.penalty_percent == 0).all()


def test_times_of_different_calls_are_not_compared(das):
    roots = isthmus.sweep(das, "broadcast", "all", bytes="64Ki", roots=[0, 5], progress=False)
    with pytest.raises(
        isthmus.BadInput, match=r"broadcast/.* of 64 KiB on das-4x4 has rows that differ in root \(0, 5\)"
    ):
        pictures.decision_map(roots)
    ranks = isthmus.sweep([das, das.placed(ranks=8)], "broadcast", "all", bytes="64Ki", progress=False)
    with pytest.raises(isthmus.BadInput, match="differ in (placement|ranks)"):
        pictures.penalties(ranks, "replay", "replay", rows_by="platform")
    with pytest.raises(isthmus.BadInput, match="rows_by: 'collective'"):
        pictures.decision_map(ranks, rows_by="collective")


def test_pdf_files_have_no_type_3_fonts_and_the_users_settings_stay(frame, by_ranks, das, tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    schedule = das.schedule("broadcast/kielmann", "64Ki")
    for number, picture in enumerate(
        (
            pictures.completion_time(frame),
            pictures.decision_map(by_ranks),
            pictures.network_map(das),
            pictures.tree_on_map(das, schedule),
            pictures.timeline(schedule),
            pictures.parameter_curves(das),
        )
    ):
        picture.savefig(tmp_path / f"{number}.pdf")
        data = (tmp_path / f"{number}.pdf").read_bytes()
        assert b"/Subtype /Type3" not in data and b"/CIDFontType2" in data
    assert dict(matplotlib.rcParams) == before


SITES = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="sites" routing="Full">{clusters}{links}{routes}</zone></platform>
"""


def sites(routes, links):
    """Four clusters a to d; routes and the links that they take, as names."""
    cluster = (
        '<cluster id="{0}" prefix="{0}-" suffix="" radical="0-1" speed="1Gf" bw="1GBps" lat="10us" router_id="r{0}"/>'
    )
    link = '<link id="{}" bandwidth="{}MBps" latency="{}ms" sharing_policy="SHARED"/>'
    route = '<zoneRoute src="{0}" dst="{1}" gw_src="r{0}" gw_dst="r{1}">{2}</zoneRoute>'
    return isthmus.Platform.from_xml(
        SITES.format(
            clusters="".join(map(cluster.format, "abcd")),
            links="".join(link.format(name, 10 * number, number) for number, name in enumerate(links, 1)),
            routes="".join(
                route.format(*pair, "".join(f'<link_ctn id="{name}"/>' for name in names))
                for pair, names in routes.items()
            ),
        ),
        "sites",
    )


def test_network_maps_draw_the_links_that_there_are(tmp_path):
    line = sites(
        {"ab": ["x"], "bc": ["y"], "cd": ["z"], "ac": ["x", "y"], "bd": ["y", "z"], "ad": ["x", "y", "z"]}, "xyz"
    )
    star = sites({a + b: ["up" + a, "up" + b] for a in "abcd" for b in "abcd" if a < b}, ["upa", "upb", "upc", "upd"])
    for platform, lines, texts in (
        (line, 3, ("1 ms, 10 MB/s", "2 ms, 20 MB/s", "3 ms, 30 MB/s")),
        (star, 4, ("4 ms, 40 MB/s",)),
    ):
        picture = pictures.network_map(platform)
        assert len(picture.axes[0].get_lines()) == lines
        svg = drawn(picture, tmp_path)
        assert all(f">{text}<" in svg for text in texts)
        assert platform.svg().count('class="wan"') == lines
    assert len(line.network.site_map()["crossings"]) == 0 and len(star.network.site_map()["crossings"]) == 1


def test_networks_trees_and_timelines(das, tmp_path):
    svg = drawn(pictures.network_map(das), tmp_path)
    assert svg.count(">10 ms, 1 MB/s<") == 6 and svg.count(">20 us, 50 MB/s<") == 4
    schedule = das.schedule("broadcast/kielmann", "256Ki")
    assert f"{schedule.totals()['wide_area_messages']} between sites" in drawn(
        pictures.tree_on_map(das, schedule), tmp_path
    )
    picture = pictures.timeline(schedule)
    assert len(picture.axes[0].patches) == schedule.totals()["messages"]
    assert "time since the common start" in drawn(picture, tmp_path)
    assert "gap g" in drawn(pictures.parameter_curves(das), tmp_path)


@pytest.mark.parametrize(
    "draw, says",
    [
        (
            lambda frame: pictures.completion_time(frame.drop(columns="seconds")),
            "has no column seconds; completion_time needs",
        ),
        (lambda frame: pictures.completion_time(frame[:0]), "has no rows"),
        (lambda frame: pictures.completion_time(frame, over="time"), "over: 'time'; bytes or ranks"),
        (lambda frame: pictures.speed_up(frame, "ring"), "over: 'ring' is no plan of the frame; one of kielmann"),
        (lambda frame: pictures.error(frame, "smpi"), "against: no row is from 'smpi'; one of plogp, replay"),
        (lambda frame: pictures.penalty_map(frame, "hockney", "replay"), "model: no row is from 'hockney'"),
        (lambda frame: pictures.parameter_curves({}), "layers: is empty"),
    ],
)
def test_bad_input_is_named(frame, draw, says):
    with pytest.raises(isthmus.BadInput) as caught:
        draw(frame)
    assert says in str(caught.value)


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_colour_stands_out_from_the_paper_and_has_a_marker_of_its_own():
    for colour in style.PALETTE:
        assert 1.05 / (luminance(colour) + 0.05) >= 3  # WCAG's least for graphics
    assert len(set(style.MARKERS)) == len(style.PALETTE) == len(set(style.PALETTE))
