"""Figures for papers: fonts, widths, the user's axes and settings, names of lines, panels, intervals, bars."""

import html
import io
import json
import re
import shutil
import subprocess
import urllib.parse

import pytest
from conftest import PLATFORMS

import isthmus

matplotlib = pytest.importorskip("matplotlib")
pandas = pytest.importorskip("pandas")
from isthmus import pictures  # noqa: E402
from isthmus.pictures import labels  # noqa: E402


@pytest.fixture(scope="module")
def twelve(das):
    """Twelve algorithms over five sizes."""
    frame = isthmus.sweep(das, "broadcast", "all", bytes="1,1Ki,16Ki,64Ki,1Mi", progress=False, workers=1)
    return frame[frame.requested.isin(frame.requested.unique()[:12])]


@pytest.fixture(scope="module")
def maps(das):
    placed = [das.placed(ranks=ranks) for ranks in (4, 8, 16)]
    return isthmus.sweep(
        placed, ["broadcast", "allreduce"], ["binomial", "multilevel", "auto"], bytes="8,4Ki,1Mi",
        sources=["plogp", "replay"], progress=False, workers=1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def every(das, twelve, maps):
    """Each kind of picture as a function of `ax` and `width`, with its number of panels."""
    schedules = [das.schedule(plan, "64Ki") for plan in ("allreduce/ring", "allreduce/multilevel")]
    return {
        "completion_time": (lambda **how: pictures.completion_time(twelve, **how), 1),
        "speed_up": (lambda **how: pictures.speed_up(twelve, "binomial", **how), 1),
        "distance_to_bound": (lambda **how: pictures.distance_to_bound(twelve, **how), 1),
        "error": (lambda **how: pictures.error(maps[maps.ranks == 16], "replay", **how), 1),
        "decision_map": (lambda **how: pictures.decision_map(maps[maps.source == "replay"], **how), 2),
        "penalty_map": (lambda **how: pictures.penalty_map(maps, "plogp", "replay", **how), 1),
        "breakdown": (lambda **how: pictures.breakdown(das.explain("allgather", "1Ki", parts=True), **how), 1),
        "link_load": (lambda **how: pictures.link_load(schedules, **how), 2),
        "network_map": (lambda **how: pictures.network_map(das, **how), 1),
        "tree_on_map": (lambda **how: pictures.tree_on_map(das, schedules[0], **how), 1),
        "timeline": (lambda **how: pictures.timeline(schedules[0], **how), 1),
        "parameter_curves": (lambda **how: pictures.parameter_curves(das, **how), 2),
    }


KINDS = [name for name in pictures.__all__ if name != "penalties"]


@pytest.mark.parametrize("kind", KINDS)
def test_pdf_has_truetype_fonts_and_the_width_of_a_column(every, kind, tmp_path):
    draw, _ = every[kind]
    for width, inches in (("column", 3.5), ("page", 7.16), (5, 5)):
        picture = draw(width=width)
        assert picture.get_size_inches()[0] == pytest.approx(inches)
    file = tmp_path / "figure.pdf"
    with matplotlib.rc_context({"pdf.fonttype": 3}):
        draw(width="column").savefig(file)
    if shutil.which("pdffonts") is None:
        pytest.skip("pdffonts is not there; scripts/setup installs it (Debian: poppler-utils)")
    fonts = subprocess.run(["pdffonts", file], capture_output=True, text=True, check=True).stdout
    lines = fonts.splitlines()[2:]
    assert lines and all("TrueType" in line and "Type 3" not in line for line in lines), fonts


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_drawn_into_axes_of_the_users(every, kind):
    from matplotlib.figure import Figure

    draw, panels = every[kind]
    figure = Figure(figsize=(9, 4))
    axes = list(figure.subplots(1, panels, squeeze=False).flat)
    given = axes[0] if panels == 1 else axes
    colour = axes[0].get_facecolor()
    assert draw(ax=given) is given
    assert all(axis.has_data() or axis.texts for axis in axes) and axes[0].get_facecolor() == colour
    too_many = list(Figure().subplots(1, panels + 1))
    with pytest.raises(isthmus.BadInput, match=rf"ax: {panels + 1} axes for {panels} panels; as many axes as panels"):
        draw(ax=too_many)
    with pytest.raises(isthmus.BadInput, match="width: 'wide'; column, page or a number of inches"):
        draw(width="wide")


def test_the_users_settings_come_before_the_common_style(twelve, tmp_path):
    with matplotlib.rc_context({"axes.labelsize": 13, "lines.linewidth": 3, "font.family": "serif"}):
        axis = pictures.completion_time(twelve, width="column").axes[0]
        assert axis.xaxis.label.get_fontfamily() == ["serif"] and axis.xaxis.label.get_fontsize() == 13
        assert 3 in {line.get_linewidth() for line in axis.get_lines()}
    own = ["#112233", "#445566"]
    with matplotlib.rc_context({"axes.prop_cycle": matplotlib.cycler(color=own)}):
        colours = {line.get_color() for line in pictures.completion_time(twelve).axes[0].get_lines()}
    assert set(own) <= colours and pictures.style.PALETTE[0] not in colours
    assert {line.get_color() for line in pictures.completion_time(twelve).axes[0].get_lines()} & set(
        pictures.style.PALETTE
    )


def extent(text):
    """The box of the letters, without the leader."""
    return matplotlib.text.Text.get_window_extent(text)


def drawn_texts(axis):
    return {text.get_text(): text for text in axis.texts if text.get_text()}


def test_twelve_lines_are_named_where_they_end_and_no_names_collide(twelve):
    for width in (None, "column", "page"):
        picture = pictures.completion_time(twelve, width=width)
        (axis,) = picture.axes
        picture.draw_without_rendering()
        texts = drawn_texts(axis)
        assert set(texts) == set(twelve.requested) and not {t.get_text() for t in picture.legends[0].texts} & set(texts)
        boxes = sorted((extent(text) for text in texts.values()), key=lambda box: box.y0)
        tops = [low.y1 - high.y0 for low, high in zip(boxes, boxes[1:])]
        assert max(tops) <= 0.25 * boxes[0].height  # letters, without the room for accents and descenders
        ends = {name: part.sort_values("bytes").seconds.iloc[-1] for name, part in twelve.groupby("requested")}
        order = sorted(texts, key=lambda name: extent(texts[name]).y0)
        assert [ends[name] for name in order] == sorted(ends.values())
    assert not drawn_texts(pictures.completion_time(twelve, labels="legend").axes[0])
    assert not pictures.completion_time(twelve, labels="none").legends
    with pytest.raises(isthmus.BadInput, match="labels: 'inline'; auto, direct, legend, none"):
        pictures.completion_time(twelve, labels="inline")


def test_places_of_names_are_apart_and_near():
    places = labels.spread([0.5, 0.5, 0.5, 0.9], 0.1)
    assert sorted(places) == pytest.approx([0.4, 0.5, 0.6, 0.9])
    assert labels.spread([1.0, 1.0], 0.25) == pytest.approx([0.75, 1.0])
    assert labels.spread([0.0, 0.0], 0.25) == pytest.approx([0.0, 0.25])
    assert labels.spread([0.7, 0.1], 0.1) == [0.7, 0.1]


def test_small_multiples_have_a_panel_for_each_plan_with_the_others_behind(twelve):
    picture = pictures.completion_time(twelve, by="plan", width="page")
    assert [axis.get_title("left") for axis in picture.axes] == list(dict.fromkeys(twelve.requested))
    for axis in picture.axes:
        grey = [line for line in axis.get_lines() if line.get_color() == pictures.style.LINE]
        assert len(grey) == 11
    assert "the other plans" in {text.get_text() for text in picture.legends[0].texts}


@pytest.mark.parametrize(
    "count, width",
    [(1, None), (2, "column"), (4, "column"), (5, "page"), (7, None), (13, "page"), (24, "page"), (24, "column")],
)
def test_one_to_twenty_four_panels(count, width):
    frame = pandas.DataFrame(
        [
            {"platform": f"network-{number}", "collective": "allreduce", "algorithm": plan, "source": "replay",
             "bytes": size, "seconds": 1e-6 * size + place * 1e-3, "ranks": 16}
            for number in range(count)
            for place, plan in enumerate(("ring", "auto"), 1)
            for size in (1, 1024, 1 << 20)
        ]
    )  # fmt: skip
    picture = pictures.completion_time(frame, width=width)
    picture.draw_without_rendering()
    assert len(picture.axes) == count
    boxes = [axis.get_position() for axis in picture.axes]
    assert max(box.width for box in boxes) < 1.05 * min(box.width for box in boxes)
    inches = picture.get_size_inches()
    assert min(box.width * inches[0] for box in boxes) > 0.9 and inches[0] <= 16
    titles = [axis._left_title.get_window_extent() for axis in picture.axes]
    for axis, title in zip(picture.axes, titles):
        others = [other for other in titles if other is not title and abs(other.y0 - title.y0) < 2]
        assert not any(title.x0 < other.x0 < title.x1 for other in others)
    bottom = [axis for axis in picture.axes if axis.get_xlabel()]
    assert len(bottom) == len({round(axis.get_position().x0, 2) for axis in picture.axes})
    assert all(axis.get_xlabel() == "message size" for axis in bottom)


def test_medians_of_repetitions_have_their_intervals(das):
    frame = das.simulate("broadcast/magpie", "1,1Ki", repetitions=5)
    frame["repetition_seconds"] = [[seconds * (1 + noise / 10) for noise in range(5)] for seconds in frame.seconds]
    axis = pictures.completion_time(frame).axes[0]
    (bars,) = [one for one in axis.collections if len(one.get_paths()) == 2 and hasattr(one, "get_segments")]
    for row, segment in zip(frame.itertuples(), bars.get_segments()):
        half = isthmus._core.half_interval_s(row.repetition_seconds)
        assert segment[1][1] - segment[0][1] == pytest.approx(2 * half) and half > 0
    plain = pictures.completion_time(frame.drop(columns="repetition_seconds")).axes[0]
    assert not any(hasattr(one, "get_segments") for one in plain.collections)


def test_decision_maps_tell_by_how_much(maps):
    replay = maps[maps.source == "replay"]
    for axis, collective in zip(pictures.decision_map(replay).axes, ("broadcast", "allreduce")):
        told = {(int(text.get_position()[0]), int(text.get_position()[1])): text.get_text() for text in axis.texts}
        assert len(told) == 9
        for x, size in enumerate((8, 4096, 1 << 20)):
            for y, ranks in enumerate((4, 8, 16)):
                times = replay.query("collective == @collective and bytes == @size and ranks == @ranks").seconds
                first, second = times.nsmallest(2)
                percent = 100 * (second / first - 1)
                text = "0" if percent < 0.5 else f"+{percent:.0f}" if percent < 99.5 else f"×{1 + percent / 100:.0f}"
                assert told[x, y] == text
    assert not pictures.decision_map(replay, margins=False).axes[0].texts
    dense = pandas.concat([replay.assign(bytes=replay.bytes + shift) for shift in range(9)])
    picture = pictures.decision_map(dense, width="page")
    assert not picture.axes[0].texts
    close = [text.get_text() for text in picture.legends[0].texts if "paler" in text.get_text()]
    assert close == ["paler: runner-up within 5 %"]


def test_bars_of_a_break_down_are_the_parts_of_the_table(das):
    frame = das.explain("allgather", "1Ki,64Ki", parts=True)
    picture = pictures.breakdown(frame, max_plans=5)
    assert [axis.get_title("left") for axis in picture.axes] == ["allgather, 1 KiB", "allgather, 64 KiB"]
    for axis, (_, part) in zip(picture.axes, frame.groupby("bytes")):
        widths = sorted(bar.get_width() for bar in axis.patches)
        columns = [f"{name}_seconds" for name in ("latency", "wide_area", "local", "overhead", "contention")]
        assert widths == pytest.approx(sorted(part.head(5)[columns].to_numpy().flatten()))
    with pytest.raises(isthmus.BadInput, match="has no column latency_seconds"):
        pictures.breakdown(das.explain("allgather", "1Ki"))


def test_the_load_of_each_wide_area_link(das):
    ring = das.schedule("allreduce/ring", "64Ki")
    picture = pictures.link_load({"ring": ring, "other": das.schedule("allreduce/multilevel", "64Ki")})
    axis = picture.axes[0]
    loads = ring.link_loads().query("wide_area").set_index("link")
    drawn = {label.get_text(): bar.get_width() for label, bar in zip(axis.get_yticklabels(), axis.patches)}
    assert {link: width for link, width in drawn.items() if width} == pytest.approx(loads.busy_s.to_dict())
    share = f"{100 * loads.share.max():.0f} %"
    assert share in {text.get_text() for text in axis.texts} and axis.get_title("left") == "ring"
    with pytest.raises(isthmus.BadInput, match="no message crosses a wide-area link"):
        pictures.link_load(das.placed(ranks=4).schedule("allreduce/ring", "64Ki"))


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    (folder / "e.json").write_text(
        json.dumps(
            {"name": "e", "title": "t", "platforms": [str(PLATFORMS / "plain/five-sites.xml")],
             "algorithms": ["allreduce", "allreduce/ring"], "sizes": "8,64Ki", "sources": ["replay"]}
        )
    )  # fmt: skip
    isthmus.programs.run_isthmus(
        ["validate", str(folder / "e.json"), "--store", str(folder / "s.sqlite"), "--report", str(folder)],
        lambda _: None,
    )
    return folder / "e.html"


def test_the_report_carries_its_results_and_its_platforms(report):
    page = report.read_text()
    (data,) = re.findall(r'download="e.csv" href="data:text/csv;charset=utf-8,([^"]*)"', page)
    frame = pandas.read_csv(io.StringIO(urllib.parse.unquote(data)))
    assert frame.algorithm.nunique() > 1 and len(frame) == 4 and set(frame.bytes) == {8, 65536}
    source = (PLATFORMS / "plain/five-sites.xml").read_text()
    assert html.escape(source, quote=False).strip()[:200].replace('"', "&quot;").replace("'", "&#39;") in page
    digest = isthmus.Platform(PLATFORMS / "plain/five-sites.xml")._core.digest
    assert f"digest {digest}" in page and "--busy: " in page


def test_a_figure_of_the_report_is_a_pdf_of_its_own_without_type_3_fonts(report, tmp_path):
    if shutil.which("chromium") is None or shutil.which("pdffonts") is None:
        pytest.skip("chromium or pdffonts is not there; scripts/setup installs both")
    for number in (1, 2):
        file = tmp_path / f"{number}.pdf"
        words = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
        done = subprocess.run(
            [*words, f"--user-data-dir={tmp_path}/profile", f"--print-to-pdf={file}", f"file://{report}#pdf={number}"],
            capture_output=True,
            timeout=120,
        )
        assert file.exists(), done.stderr[-1000:]
        fonts = subprocess.run(["pdffonts", file], capture_output=True, text=True, check=True).stdout
        facts = subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True).stdout
        assert "TrueType" in fonts and "Type 3" not in fonts, fonts
        assert re.search(r"Pages: +1\n", facts) and not re.search(r"Page size: .*(A4|letter)", facts), facts


def overlap(a, b):
    return abs(a[0] - b[0]) < (a[2] + b[2]) / 2 and abs(a[1] - b[1]) < (a[3] + b[3]) / 2


@pytest.mark.parametrize(
    "file",
    [
        "kielmann2000/das-4x4.xml",
        "samples/asymmetric.xml",
        "karonis2000/by-site.xml",
        "plain/five-sites.xml",
        "plain/star-of-sites.xml",
        "plain/chain-of-sites.xml",
        "kielmann2000/das-8x8.xml",
    ],
)
def test_labels_on_network_maps_collide_with_nothing_and_the_report_has_the_same(file):
    platform = isthmus.Platform(PLATFORMS / file)
    drawing = platform.network.drawing()
    boxes = [(site["x"], site["y"], site["width"], site["height"]) for site in drawing["sites"]]
    for x, y, lines in drawing["labels"]:
        box = (x, y, 5.5 * max(map(len, lines)), 12 * len(lines))
        assert not any(overlap(box, other) for other in boxes)
        boxes.append(box)
    axis = pictures.network_map(platform).axes[0]
    assert len(axis.get_lines()) == len(drawing["wires"]) == platform.svg().count('class="wan"')
    texts = [text.get_text() for text in axis.texts]
    for _, _, lines in drawing["labels"]:
        assert "\n".join(lines) in texts and all(f">{line}<" in platform.svg() for line in lines)
    for (x1, y1, x2, y2, _), line in zip(drawing["wires"], axis.get_lines()):
        assert list(line.get_xdata()) == [x1, x2] and list(line.get_ydata()) == [y1, y2]
