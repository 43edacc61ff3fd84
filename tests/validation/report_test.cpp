#include "validation/report/report.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/process/child.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/validation/scene.hpp"
#include "validation/report/chart.hpp"
#include "validation/report/scale.hpp"
#include "validation/report/timeline_picture.hpp"
#include "validation/text/sentences.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// An experiment with made-up seconds: shapes only, no results.
struct Sample {
  Experiment experiment;
  Outcome outcome;

  explicit Sample(const TemporaryFolder& folder, const std::string& platform = "stars") {
    const std::string file = folder.file("stars.json");
    write_network(star_network("stars", 3, 4), file);
    experiment = read_experiment(folder.write("e.json", R"({
      "name": "e", "title": "A <script>alert(1)</script> & \"title\"", "question": "Who asks?", "platforms": ["stars.json"],
      "algorithms": ["broadcast/kielmann", "broadcast/magpie"], "sizes": "0,1..4Mi",
      "sources": ["plogp", "replay", "smpi", "emulated"],
      "tolerances": [{"source": "replay", "against": "emulated", "bytes": "1..4Mi", "percent": 3}],
      "timeline": {"algorithm": "broadcast/kielmann", "bytes": "64Ki"}})"));
    const Network network = star_network(platform, 3, 4);
    RunRequest request{.platform_file = file, .placed = {network, place_ranks(network, PlacementRule::block, 1)}};
    for (const PlanRequest& plan : experiment.plans)
      for (const std::int64_t bytes : experiment.sizes) add_point(request, plan, {Collective::broadcast, bytes, 1, 0});
    outcome.scenes.push_back({file, request.placed});
    for (const Source source : experiment.sources)
      for (const RequestedPoint& point : request.points) {
        Record record = record_template(source, request, point);
        const double size = static_cast<double>(record.bytes);
        record.seconds =
            0.01 + size * (record.algorithm == "magpie" ? 2e-6 : 1e-6) * (1 + 0.01 * static_cast<int>(source));
        record.bound_seconds = 0.01 + size / 3e6;
        if (source == Source::emulated) {
          record.extra["provenance"] = {{"substrate", "virtual <b>"}};
          record.extra["achieved"] = nlohmann::json::parse(
              R"([{"from":"c0-0","to":"c1-0","asked_latency_s":0.01,"latency_s":0.01001,
                   "asked_bandwidth_Bps":1e6,"bandwidth_Bps":998000}])");
        }
        outcome.records.push_back(record);
      }
    outcome.checks.push_back({Source::replay, Source::emulated, platform, 12, "broadcast/magpie", 65536, 0.05, 0.03});
  }
};

ReportContext context() { return {"isthmus validate 'e.json'", "2000-01-01", {{"kernel", "<Linux>"}}}; }

TEST(Report, HoldsEverythingThatWasAskedFor) {
  const TemporaryFolder folder;
  const Sample sample(folder);
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("Who asks?"), HasSubstr("1 of 1 comparisons are out of tolerance"),
                          HasSubstr("Completion time"), HasSubstr("Difference from emulated"),
                          HasSubstr("Distance to the lower bound"), HasSubstr("Speed-up"), HasSubstr("10 ms, 1 MB/s"),
                          HasSubstr("One schedule: kielmann"), HasSubstr("Who sends to whom"),
                          HasSubstr("What the emulated links gave"), HasSubstr("class=\"missed\""),
                          HasSubstr("isthmus validate &#39;e.json&#39;")));
  EXPECT_LT(html.size(), 2u << 20);
}

TEST(Report, TellsWhatARefereeAsks) {
  const TemporaryFolder folder;
  Sample sample(folder);
  for (Record& record : sample.outcome.records)
    if (record.source == Source::emulated) {
      record.extra["half_interval_seconds"] = record.seconds / 20;
      record.extra["provenance"] = {{"routes", "initcwnd 10 initrwnd 10 rto_min 60s"},
                                    {"tcp",
                                     "net/ipv4/tcp_slow_start_after_idle=0 net/ipv4/tcp_rmem=4096 65536 67108864 "
                                     "net/ipv4/tcp_wmem=4096 65536 67108864"}};
    }
  Record own = sample.outcome.records.back();
  own.source = Source::emulated;
  own.algorithm = "mpi";
  own.requested = own.plan = "mpi:selector=han";
  sample.outcome.records.push_back(own);
  const ReportContext from{"isthmus validate", "2000-01-01", {{"version", "isthmus 0.1.0 (abc123)"}}};
  const std::string html = report_html(sample.experiment, sample.outcome, from);
  EXPECT_THAT(html, AllOf(HasSubstr("class=\"interval\""), HasSubstr(">chosen<"), HasSubstr("(abc123)"),
                          HasSubstr("digest " + sample.outcome.scenes[0].placed.digest()),
                          HasSubstr("TCP of the emulated network: initial window 10 segments, shortest time-out 60s, "
                                    "buffers up to 64 MiB, no slow start after a pause."),
                          HasSubstr("HAN is tuned here")));
  EXPECT_THAT(html, AllOf(HasSubstr("data-baselines"), HasSubstr("Geometric means"),
                          HasSubstr("How busy each wide-area link is"), HasSubstr("wan-0-1"), HasSubstr("--busy: "),
                          HasSubstr("download=\"e.csv\""), HasSubstr("the platform: stars.json"),
                          HasSubstr("header_bytes&quot;")));
  EXPECT_THAT(report_html(sample.experiment, Sample(folder).outcome, context()),
              AllOf(Not(HasSubstr("HAN is tuned")), Not(HasSubstr("class=\"interval\"")),
                    Not(HasSubstr("TCP of the emulated"))));
}

TEST(Report, GeometricMeansAreOverTheSizesThatBothHave) {
  const TemporaryFolder folder;
  Sample sample(folder);
  // Half the time at one size and an eighth at another: four times as quick in the mean.
  const std::vector<std::int64_t> sizes{1 << 10, 1 << 20};
  std::erase_if(sample.outcome.records, [&](const Record& record) {
    return record.source != Source::emulated || (record.bytes != sizes[0] && record.bytes != sizes[1]);
  });
  for (Record& record : sample.outcome.records)
    record.seconds = record.algorithm == "magpie" ? 1 : record.bytes == sizes[0] ? 0.5 : 0.125;
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("<td>4.00</td>"), HasSubstr("<td>0.25</td>")));
}

TEST(Report, ListsEveryFindingWholeWhateverItsPlatformIsCalled) {
  const TemporaryFolder folder;
  const Sample sample(folder, "B. At sea");
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, HasSubstr("<li>At 4 MiB on B. At sea, kielmann is the fastest: "));
  const ExperimentVerdict found = verdict(sample.experiment, sample.outcome);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_THAT(html, HasSubstr("<li>" + sentence(found.findings[0]) + "</li>"));
  EXPECT_THAT(html, HasSubstr("</strong>" + sentences(found.summary) + "</p>"));
}

TEST(Report, ListsTheNotes) {
  const TemporaryFolder folder;
  Sample sample(folder);
  EXPECT_THAT(report_html(sample.experiment, sample.outcome, context()), Not(HasSubstr("class=\"notes\"")));
  sample.outcome.notes = {{Note::Kind::doubtful_network, "net: link <a> is slow", "are megabytes meant?", 2},
                          {Note::Kind::starved, "processes waited", ""}};
  EXPECT_THAT(
      report_html(sample.experiment, sample.outcome, context()),
      AllOf(HasSubstr("<li>warning: net: link &lt;a&gt; is slow, and 1 more are like it; are megabytes meant?</li>"),
            HasSubstr("<li>note: processes waited</li>")));
}

TEST(Report, PutsATableOfRivalsBeforeTheCharts) {
  const TemporaryFolder folder;
  Sample sample(folder);
  sample.experiment.table_by_size = true;
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("Quickest by emulated first"), HasSubstr(">chosen<"), HasSubstr("wan-degree="),
                          Not(HasSubstr("All figures")), HasSubstr("class=\"missed\"")));
  EXPECT_LT(html.find("Quickest by emulated first"), html.find("Completion time"));
  EXPECT_LT(html.find(">kielmann</td>"), html.find(">magpie</td>")) << "slower";
}

TEST(Report, DrawsThePackingsOfPlans) {
  const TemporaryFolder folder;
  Sample sample(folder);
  EXPECT_THAT(report_html(sample.experiment, sample.outcome, context()), Not(HasSubstr("the ways of the data")));
  sample.experiment.table_by_size = true;
  const std::string ways[] = {"0.0.0:1", "0.0.1:2/0.2.0:1", "0.0.1:1"};
  for (Record& record : sample.outcome.records) {
    if (record.algorithm != "magpie" || record.bytes < 65536) continue;
    record.algorithm = record.requested = "packed";
    record.plan = "packed:segment=64Ki,packing=" + ways[record.bytes == 4194304 ? 1 : record.bytes == 65536 ? 0 : 2];
  }
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("The ways of the data"), HasSubstr("<h4>4 MiB, packed:segment=64Ki,2 trees, "),
                          HasSubstr("class=\"packing\""), HasSubstr("66.7 %"), HasSubstr("<summary>as text</summary>"),
                          HasSubstr("<summary>2 MiB, packed:segment=64Ki,1 tree, "),
                          HasSubstr("<summary>64 KiB, packed:segment=64Ki,1 tree, "),
                          HasSubstr("<td class=\"text\">segment=64Ki,2 trees</td>")));
  EXPECT_LT(html.size(), 3u << 20);
}

TEST(Report, KeepsCollectivesApart) {
  const TemporaryFolder folder;
  Sample sample(folder);
  const std::vector<Record> broadcasts = sample.outcome.records;
  for (Record record : broadcasts) {
    record.collective = "reduce";
    sample.outcome.records.push_back(record);
  }
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("broadcast: completion time"), HasSubstr("reduce: completion time"),
                          HasSubstr("data-filter=\"collective\" value=\"reduce\""),
                          HasSubstr("<section data-collective=\"reduce\">")));
}

TEST(Report, DrawsWhatWasMeasuredOfTheLinks) {
  const TemporaryFolder folder;
  Sample sample(folder);
  EXPECT_THAT(report_html(sample.experiment, sample.outcome, context()), Not(HasSubstr("What its links cost")));
  const SizeFunction nothing({{0, 0}});
  PlacedNetwork& placed = sample.outcome.scenes[0].placed;
  Network measured = placed.network();
  measured.classes = {{"wide area", SizeFunction::linear(1e-4, 1e-6), nothing, nothing}};
  placed = placed.with_links_of(std::move(measured));
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("What its links cost"), HasSubstr("wide area: gap, send overhead"),
                          HasSubstr("gap g"), Not(HasSubstr("os, to send"))));
}

TEST(Report, MapsTheQuickestAndWhatAModelsChoiceCosts) {
  const TemporaryFolder folder;
  Sample sample(folder);
  EXPECT_THAT(report_html(sample.experiment, sample.outcome, context()), Not(HasSubstr("Which algorithm is quickest")));
  // With half the ranks magpie is the quicker one, but not by the closed forms.
  sample.experiment.ranks = {6, 12};
  Scene smaller = sample.outcome.scenes[0];
  smaller.placed = smaller.placed.with_ranks(std::vector{0, 1, 2, 3, 4, 5});
  sample.outcome.scenes.insert(sample.outcome.scenes.begin(), smaller);
  const std::vector<Record> records = sample.outcome.records;
  for (Record record : records) {
    record.ranks = 6;
    if (record.source != Source::plogp && record.algorithm == "magpie") record.seconds /= 4;
    sample.outcome.records.push_back(record);
  }
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("Which algorithm is quickest"), HasSubstr("quickest by emulated"),
                          HasSubstr("choice of plogp, in emulated"), HasSubstr("stars, 6 ranks"),
                          HasSubstr("data-filter=\"ranks\" value=\"12\"")));
  EXPECT_THAT(html, HasSubstr("6 ranks, 4 MiB: magpie, "));
  EXPECT_THAT(html, HasSubstr("12 ranks, 4 MiB: kielmann, "));
  EXPECT_THAT(html, HasSubstr("6 ranks, 4 MiB: kielmann takes "));
}

TEST(Report, NeedsNothingFromElsewhere) {
  const TemporaryFolder folder;
  const Sample sample(folder);
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  for (const char* loads : {"src=", "@import", "url(", "http:", "https:", "fetch(", "XMLHttpRequest"})
    EXPECT_THAT(html, Not(HasSubstr(loads)));
}

TEST(Report, EscapesWhatComesFromFiles) {
  const TemporaryFolder folder;
  const Sample sample(folder, "p\"><img onerror=alert(2)>");
  const std::string html = report_html(sample.experiment, sample.outcome, context());
  EXPECT_THAT(html, AllOf(HasSubstr("A &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;title&quot;"),
                          HasSubstr("virtual &lt;b&gt;"), HasSubstr("&lt;Linux&gt;"), Not(HasSubstr("<script>alert")),
                          Not(HasSubstr("<img")), Not(HasSubstr("<b>"))));
}

TEST(Report, IsWrittenWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const Sample sample(folder);
  const std::string file = write_report(sample.experiment, sample.outcome, context(), folder.file("made/here"));
  EXPECT_EQ(file, folder.file("made/here/e.html"));
  EXPECT_EQ(std::filesystem::file_size(file), report_html(sample.experiment, sample.outcome, context()).size());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("made/here")), {}), 1);
  EXPECT_THAT([&] { write_report(sample.experiment, sample.outcome, context(), "/proc/no"); },
              testing::ThrowsMessage<BadInput>(HasSubstr("/proc/no")));
}

TEST(Report, OpensInABrowserWithoutAnError) {
  const char* browser = "/usr/bin/chromium";
  if (!std::filesystem::exists(browser)) GTEST_SKIP() << "no chromium here";
  const TemporaryFolder folder;
  const Sample sample(folder);
  std::string file = write_report(sample.experiment, sample.outcome, context(), folder.path());
  // Appended to the page: runs what a reader would do in the browser, and reports errors.
  std::ofstream(file, std::ios::app) << R"(<script>
    const box = document.querySelector('input[value=magpie]');
    box.click();
    const hidden = Array.from(document.querySelectorAll('[data-algorithm=magpie]')).every(e => e.classList.contains('hidden'));
    const kept = Array.from(document.querySelectorAll('[data-algorithm=kielmann]')).every(e => !e.classList.contains('hidden'));
    const chart = document.querySelector('svg.chart');
    chart.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
    const told = document.getElementById('tip').textContent;
    const wide = document.documentElement.scrollWidth <= window.innerWidth;

    const least = document.querySelector('select[data-size=least]');
    least.value = '65536';
    least.dispatchEvent(new Event('change'));
    const sized = Array.from(document.querySelectorAll('[data-bytes]')).every(e => e.classList.contains('hidden') === (Number(e.dataset.bytes) < 65536 || e.dataset.algorithm === 'magpie'));
    const shortened = Array.from(document.querySelectorAll('.series')).filter(s => s.querySelector('.point'))
      .every(s => s.querySelector('polyline').points.length === s.querySelectorAll('.point:not(.hidden)').length);

    const figure = document.querySelector('figure.explorable');
    const window_ = () => figure.querySelector('svg.moment').getAttribute('viewBox');
    const whole = window_(), labels = () => Array.from(figure.querySelectorAll('.ticks text')).map(t => t.textContent).join();
    const before = labels();
    figure.querySelector('[data-zoom=in]').click();
    const zoomed = window_() !== whole && labels() !== before;
    figure.querySelector('svg.timeline').dispatchEvent(new KeyboardEvent('keydown', {key: '0'}));
    const back = window_().split(' ').map(Number).join() === whole.split(' ').map(Number).join();
    const rank = figure.querySelector('select[data-rank]');
    rank.value = '4';
    rank.dispatchEvent(new Event('change'));
    const dimmed = Array.from(figure.querySelectorAll('[data-from]')).every(e => e.classList.contains('dim') === (e.dataset.from !== '4' && e.dataset.to !== '4'));
    const reachable = Array.from(document.querySelectorAll('button, select, input, svg[tabindex]')).every(e => e.tabIndex >= 0);
    document.title = ['checked', hidden, kept, told.startsWith('kielmann, '), wide, sized, shortened, zoomed, back, dimmed, reachable].join(' ');
    </script>)";
  ChildOptions options;
  options.timeout_s = 60;
  std::string page;
  options.on_line = [&](const std::string& line) { page += line + "\n"; };
  const ChildResult result =
      run_child({browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--disable-dev-shm-usage", "--user-data-dir=" + folder.file("profile"), "--window-size=500,900",
                 "--enable-logging=stderr", "--v=0", "--virtual-time-budget=2000", "--dump-dom", "file://" + file},
                options);
  EXPECT_THAT(page, HasSubstr("<title>checked true true true true true true true true true true</title>"));
  EXPECT_THAT(result.errors, Not(HasSubstr("CONSOLE")));
}

TEST(Scale, PutsTicksWhereTheyCanBeRead) {
  const auto labels = [](const std::vector<Tick>& ticks) {
    std::string text;
    for (const Tick& tick : ticks) text += tick.label + "|";
    return text;
  };
  EXPECT_EQ(labels(size_ticks({Scale::Kind::logarithmic, 1, 4194304, 0, 1}, 6)), "1 B|32 B|1 KiB|32 KiB|1 MiB|");
  EXPECT_EQ(labels(decade_ticks({Scale::Kind::logarithmic, 0.009, 0.11, 0, 1}, duration_tick)),
            "10 ms|20 ms|50 ms|100 ms|");
  EXPECT_EQ(labels(decade_ticks({Scale::Kind::logarithmic, 1e-3, 12, 0, 1}, duration_tick)),
            "1 ms|10 ms|100 ms|1 s|10 s|");
  const auto of_factors = [&](double least, double greatest) {
    return labels(decade_ticks({Scale::Kind::logarithmic, least, greatest, 0, 1}, number_tick));
  };
  EXPECT_EQ(of_factors(0.73, 1.3), "0.8|1|1.2|") << "a part of a decade";
  EXPECT_EQ(of_factors(1.01, 9.9), "2|4|6|8|");
  EXPECT_EQ(of_factors(0.3, 1.1), "0.4|0.6|0.8|1|");
  EXPECT_EQ(labels(decade_ticks({Scale::Kind::logarithmic, 0.084, 0.184, 0, 1}, duration_tick)),
            "100 ms|120 ms|140 ms|160 ms|180 ms|");
  EXPECT_EQ(labels(size_ticks({Scale::Kind::logarithmic, 80000, 125000, 0, 1}, 6)), "80000 B|100000 B|120000 B|");
  EXPECT_EQ(labels(even_ticks({Scale::Kind::linear, -5, 10, 0, 1}, 6, number_tick)), "-5|0|5|10|");
  EXPECT_THROW(Scale(Scale::Kind::linear, 1, 1, 0, 1), std::invalid_argument);
  EXPECT_THROW(Scale(Scale::Kind::logarithmic, 0, 1, 0, 1), std::invalid_argument);
}

TEST(ChartLabels, HaveTheRoomOfTheirLetters) {
  EXPECT_GT(label_width("mmmm"), label_width("llll"));
  EXPECT_GT(label_width("chain:segment=none"), 129) << "its width in DejaVu Sans at 12 px";
  Chart chart;
  chart.series.push_back({.label = "chain:segment=none",
                          .css_class = "",
                          .marker = {},
                          .data = {{1, 1, ""}, {2, 2, ""}},
                          .source = "",
                          .algorithm = ""});
  chart.min_bytes = 1, chart.max_bytes = 2, chart.least = 1, chart.greatest = 2;
  EXPECT_THAT(draw(chart).str(), HasSubstr(">chain:segment=none<"));
  chart.series[0].label = "multilevel:levels=chain/binomial/linear";
  EXPECT_THAT(draw(chart).str(), HasSubstr("…"));
}

TEST(Timeline, MatchesEveryMessageOfTheReplay) {
  const Network network = star_network("stars", 3, 4);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  const Problem problem = {Collective::broadcast, 65536, 1, 0};
  const Plan plan = parse_plan(Collective::broadcast, "kielmann:segment=8Ki,wan-degree=2,lan-degree=3");
  const ProgramSource programs = source(plan, topology, problem);
  const Replay result = replay({network, placement}, 1, programs, true);
  const std::vector<Flight> flights = flights_of(materialise(placement.size(), programs), result.timeline, 1);
  EXPECT_EQ(static_cast<std::int64_t>(flights.size()), result.messages);
  std::int64_t bytes = 0;
  double last_s = 0;
  for (const Flight& flight : flights) {
    EXPECT_LT(flight.begin_s, flight.end_s);
    bytes += flight.bytes;
    last_s = std::max(last_s, flight.end_s);
  }
  EXPECT_EQ(bytes, result.bytes);
  EXPECT_NEAR(last_s, result.seconds, 1e-12);
}

}  // namespace
}  // namespace isthmus
