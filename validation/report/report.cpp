#include "validation/report/report.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "algorithms/errors.hpp"
#include "algorithms/process/whole_file.hpp"
#include "algorithms/text/counted.hpp"
#include "validation/report/embedded.hpp"
#include "validation/report/figures.hpp"
#include "validation/report/map_picture.hpp"
#include "validation/report/maps/network_picture.hpp"
#include "validation/report/markup.hpp"
#include "validation/report/sections/conditions_section.hpp"
#include "validation/report/sections/downloads.hpp"
#include "validation/report/sections/load_section.hpp"
#include "validation/report/sections/packing_section.hpp"
#include "validation/report/sections/provenance.hpp"
#include "validation/report/sections/speed_up_section.hpp"
#include "validation/report/sections/timeline_section.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/sentences.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

void add_panels(Element& section, const std::vector<Figure>& figures) {
  Element panels("div");
  panels.set("class", "panels");
  for (const Figure& figure : figures) {
    Element panel("div");
    panel.set("class", "panel");
    if (!figure.algorithm.empty()) panel.set("data-algorithm", figure.algorithm);
    if (!figure.baseline.empty()) panel.set("data-baseline", figure.baseline);
    if (!figure.chart.title.empty()) panel.add(text_element("h4", figure.chart.title));
    panels.add(panel.add(draw(figure.chart)));
  }
  section.add(panels);
}

Element checkbox(std::string_view kind, std::string_view value, const Element& label) {
  return Element("label")
      .add(Element("input").set("type", "checkbox").set("checked", "").set("data-filter", kind).set("value", value))
      .add(label);
}

/// A sample of a source's line and marker.
Element legend_sample(Source source) {
  Element svg("svg");
  svg.set("viewBox", "0 0 30 14").set("aria-hidden", "true");
  svg.add(Element("g")
              .set("class", fmt::format("series {}", name(source)))
              .add(svg_line(1, 7, 29, 7, "stroke"))
              .add(marker_element(marker_of(source), 15, 7, 4.2)));
  return Element("span").set("class", "legend").add(svg);
}

/// The distinct values of something in the rows, in the order of the rows.
template <class Value>
std::vector<std::string> kinds_of(std::span<const ComparisonRow> rows, Value value) {
  std::vector<std::string> names;
  for (const ComparisonRow& row : rows)
    if (std::find(names.begin(), names.end(), value(row)) == names.end()) names.push_back(value(row));
  return names;
}

/// The filters: a box for each value, if there are at least two.
void add_choice(Element& to, std::string_view title, std::string_view kind, const std::vector<std::string>& values) {
  if (values.size() < 2) return;
  Element choice("fieldset");
  choice.add(text_element("legend", title));
  for (const std::string& value : values) choice.add(checkbox(kind, value, text_element("span", value)));
  to.add(choice);
}

Element size_choice(std::string_view label, std::string_view end, const std::vector<std::int64_t>& sizes,
                    std::int64_t chosen) {
  Element select("select");
  select.set("data-size", end);
  for (const std::int64_t size : sizes) {
    Element option = text_element("option", format_bytes(size));
    option.set("value", std::to_string(size));
    if (size == chosen) option.set("selected", "");
    select.add(option);
  }
  return Element("label").add(text_element("span", label)).add(select);
}

Element filters(const Comparison& comparison) {
  const std::span<const ComparisonRow> rows = comparison.rows;
  Element all("div");
  all.set("class", "filters");
  add_choice(all, "Platforms shown", "platform", kinds_of(rows, [](const auto& row) { return row.platform; }));
  add_choice(all, "Ranks shown", "ranks", kinds_of(rows, [](const auto& row) { return std::to_string(row.ranks); }));
  add_choice(all, "Collectives shown", "collective", kinds_of(rows, [](const auto& row) { return row.collective; }));
  add_choice(all, "Algorithms shown", "algorithm", kinds_of(rows, [](const auto& row) { return row.algorithm; }));
  Element sources("fieldset");
  sources.add(text_element("legend", "Sources shown"));
  for (const Source source : comparison.sources)
    sources.add(
        checkbox("source", name(source), Element("span").text(label(source)).raw(" ").add(legend_sample(source))));
  all.add(sources);
  std::set<std::int64_t> sizes;
  for (const ComparisonRow& row : rows) sizes.insert(row.bytes);
  if (sizes.size() < 2) return all;
  const std::vector<std::int64_t> ascending(sizes.begin(), sizes.end());
  all.add(Element("fieldset")
              .add(text_element("legend", "Sizes shown"))
              .add(size_choice("from", "least", ascending, ascending.front()))
              .add(size_choice("to", "greatest", ascending, ascending.back())));
  return all;
}

/// `by_size`: one block a size, quickest first, with the plan that was run; else one block an algorithm.
Element comparison_rows(std::span<const ComparisonRow> rows, const Comparison& comparison, const Outcome& outcome,
                        bool by_size) {
  Element head("tr");
  const auto column = [&](std::string_view name, std::string_view unit, std::string_view css_class,
                          std::string_view source) {
    Element cell = text_element("th", name);
    cell.set("scope", "col").set("class", css_class);
    if (!source.empty()) cell.set("data-source", source);
    head.add(cell.add(text_element("small", unit)));
  };
  if (by_size) column("size", "", "", "");
  column("algorithm", "", "text", "");
  if (!by_size) column("size", "", "", "");
  for (const Source source : comparison.sources) {
    column(label(source), "ms", "", name(source));
    if (!by_size && source != comparison.reference) column("difference", "%", "", name(source));
  }
  column("bound", "ms", "", "");
  column(fmt::format("{} / bound", name(comparison.reference)), "", "", "");
  const bool has_plans = by_size || std::any_of(rows.begin(), rows.end(), [&](const ComparisonRow& row) {
                           return !row.chosen(comparison.reference).empty();
                         });
  if (has_plans) column("chosen", "", "text", "");

  const std::vector<ComparisonRow> sorted =
      by_size ? quickest_first(rows, comparison.reference) : std::vector<ComparisonRow>(rows.begin(), rows.end());
  Element body("tbody");
  std::string before;
  for (const ComparisonRow& row : sorted) {
    const std::string size = format_bytes(row.bytes);
    Element line("tr");
    line.set("data-algorithm", row.algorithm).set("data-bytes", std::to_string(row.bytes));
    const std::string& block = by_size ? size : row.algorithm;
    if (!before.empty() && before != block) line.set("class", "first");
    before = block;
    if (by_size) line.add(text_element("td", size));
    line.add(text_element("td", short_plan(row.algorithm)).set("class", "text"));
    if (!by_size) line.add(text_element("td", size));
    for (const Source source : comparison.sources) {
      const auto seconds = row.seconds(source);
      const auto add_cell = [&](const std::string& text, bool missed) {
        Element cell = text_element("td", text + (missed ? " ✗" : ""));
        cell.set("data-source", name(source));
        if (missed) cell.set("class", "missed").set("title", "out of tolerance");
        line.add(cell);
      };
      const bool missed = is_missed(outcome, row, source);
      add_cell(seconds ? format_milliseconds(*seconds) : "–", by_size && missed);
      if (by_size || source == comparison.reference) continue;
      const auto error = row.error(source, comparison.reference);
      add_cell(error ? format_percent(*error) : "–", missed);
    }
    line.add(text_element("td", row.bound_seconds > 0 ? format_milliseconds(row.bound_seconds) : "–"));
    const auto factor = row.over_bound(comparison.reference);
    line.add(text_element("td", factor ? fmt::format("{:.2f}", *factor) : "–"));
    if (has_plans) line.add(text_element("td", short_plan(row.chosen(comparison.reference))).set("class", "text"));
    body.add(line);
  }
  return table_element(head, body, "comparison table");
}

/// Everything about one collective on one platform.
Element collective_section(const Experiment& experiment, const Outcome& outcome, const Scene& scene,
                           std::span<const ComparisonRow> rows, const Comparison& comparison, bool alone) {
  const std::string& collective = rows.front().collective;
  Element section("section");
  section.set("data-collective", collective);
  const std::string of = alone ? "" : collective + ": ";
  const auto title = [&](std::string text) {
    if (alone) text[0] = static_cast<char>(std::toupper(text[0]));
    return text_element("h3", of + text);
  };
  const Element table = comparison_rows(rows, comparison, outcome, experiment.table_by_size);
  if (experiment.table_by_size)
    section.add(title(fmt::format("quickest by {} first", name(comparison.reference)))).add(table);
  section.add(title("completion time"));
  section.add(
      text_element("p", "From the common start to the last rank's end. The grey line is what no schedule can beat.")
          .set("class", "note"));
  add_panels(section, time_figures(rows, comparison.sources));

  if (comparison.sources.size() > 1) {
    section.add(title(fmt::format("difference from {}", name(comparison.reference))));
    const bool strips =
        std::any_of(experiment.tolerances.begin(), experiment.tolerances.end(),
                    [&](const Tolerance& tolerance) { return tolerance.against == comparison.reference; });
    if (strips)
      section.add(
          text_element("p", "The green strip is what the experiment tolerates; points at the frame lie beyond it.")
              .set("class", "note"));
    add_panels(section, error_figures(rows, comparison, experiment));
  }
  const auto add_alone = [&](const Figure& figure, std::string_view heading) {
    if (figure.chart.series.empty()) return;
    section.add(title(std::string(heading)));
    add_panels(section, {figure});
  };
  if (const std::vector<std::string> baselines = baselines_of(rows, comparison.reference); !baselines.empty()) {
    std::vector<Figure> figures;
    for (const std::string& baseline : baselines) {
      figures.push_back(speed_up_figure(rows, comparison.reference, baseline));
      figures.back().baseline = baseline;
    }
    section.add(title("speed-up"));
    if (baselines.size() > 1) section.add(baseline_choice(baselines));
    add_panels(section, figures);
    section.add(text_element("p", fmt::format("Geometric means of the speed-ups by {}, over the sizes that both have.",
                                              name(comparison.reference)))
                    .set("class", "note"));
    section.add(geometric_means(rows, baselines, comparison.reference));
  }
  add_alone(bound_figure(rows, comparison.reference), "distance to the lower bound");
  if (const std::optional<Element> loads = load_section(rows, scene.placed, comparison.reference))
    section.add(title("how busy each wide-area link is")).add(*loads);
  if (!experiment.table_by_size) section.add(title("all figures")).add(table);
  if (const std::optional<Element> packings = packing_section(rows, scene.placed, comparison.reference))
    section.add(title("the ways of the data")).add(*packings);
  return section;
}

std::string id_of(const Scene& scene) {
  return fmt::format("{}-{}-ranks", scene.placed.network().name, scene.placed.size());
}

std::string title_of(const Scene& scene, const Experiment& experiment) {
  if (experiment.ranks.size() == 1) return scene.placed.network().name;
  return scene.placed.network().name + ", " + counted(scene.placed.size(), "rank");
}

/// The lines of a map, one a scene; labelled by ranks if all scenes have the same platform.
std::vector<MapLine> map_lines(const Experiment& experiment, const Outcome& outcome, const Comparison& comparison,
                               const std::string& collective) {
  std::vector<MapLine> lines;
  for (const Scene& scene : outcome.scenes) {
    MapLine line{experiment.platforms.size() == 1 ? counted(scene.placed.size(), "rank") : title_of(scene, experiment),
                 {}};
    for (const ComparisonRow& row : comparison.rows)
      if (row.collective == collective && row.platform == scene.placed.network().name &&
          row.ranks == scene.placed.size())
        line.rows.push_back(&row);
    if (!line.rows.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::size_t kinds_of_algorithms(const std::vector<MapLine>& lines) {
  std::set<std::string> algorithms;
  for (const MapLine& line : lines)
    for (const ComparisonRow* row : line.rows) algorithms.insert(row->algorithm);
  return algorithms.size();
}

/// The largest number of ranks that the experiment places on the platform of a scene.
int max_ranks(const Outcome& outcome, const Scene& scene) {
  int most = 0;
  for (const Scene& other : outcome.scenes)
    if (other.placed.network().name == scene.placed.network().name) most = std::max(most, other.placed.size());
  return most;
}

/// Maps over all scenes, if there are at least two scenes and two algorithms.
std::optional<Element> maps_section(const Experiment& experiment, const Outcome& outcome,
                                    const Comparison& comparison) {
  if (outcome.scenes.size() < 2) return std::nullopt;
  Element section("section");
  section.add(text_element("h2", "Which algorithm is quickest").set("id", "maps"));
  bool any = false;
  for (const std::string& collective :
       kinds_of(std::span<const ComparisonRow>(comparison.rows), [](const auto& row) { return row.collective; })) {
    const std::vector<MapLine> lines = map_lines(experiment, outcome, comparison, collective);
    if (lines.size() < 2 || kinds_of_algorithms(lines) < 2) continue;
    any = true;
    const std::vector<std::string> algorithms = quickest_algorithms(lines, comparison.sources);
    Element part("section"), decisions("div"), penalties("div");
    part.set("data-collective", collective);
    decisions.set("class", "maps");
    penalties.set("class", "maps");
    const auto panel = [](const std::string& title, Source source, const Element& map) {
      return Element("div")
          .set("class", "panel")
          .set("data-source", name(source))
          .add(text_element("h4", title))
          .add(map);
    };
    for (const Source source : comparison.sources) {
      if (quickest_algorithms(lines, {&source, 1}).empty()) continue;  // it has no time of any
      decisions.add(
          panel(fmt::format("quickest by {}", label(source)), source, draw_decision_map(lines, algorithms, source)));
      if (source == comparison.reference) continue;
      penalties.add(panel(fmt::format("choice of {}, in {}", label(source), label(comparison.reference)), source,
                          draw_penalty_map(lines, source, comparison.reference)));
    }
    part.add(text_element("h3", collective)).add(decisions).add(map_legend(algorithms));
    if (comparison.sources.size() > 1) {
      part.add(text_element("p", fmt::format("What a source's choice costs, in percent of the quickest by {}; cells "
                                             "without a figure cost nothing, and where there is no cell one of the two "
                                             "has no time.",
                                             name(comparison.reference)))
                   .set("class", "note"));
      part.add(penalties);
    }
    section.add(part);
  }
  return any ? std::optional(section) : std::nullopt;
}

Element scene_section(const Experiment& experiment, const Outcome& outcome, const Scene& scene,
                      const Comparison& comparison) {
  std::vector<ComparisonRow> rows;
  for (const ComparisonRow& row : comparison.rows)
    if (row.platform == scene.placed.network().name && row.ranks == scene.placed.size()) rows.push_back(row);
  Element section("section");
  section.set("data-platform", scene.placed.network().name).set("data-ranks", std::to_string(scene.placed.size()));
  const std::string title = title_of(scene, experiment);
  section.add(text_element("h2", title).set("id", id_of(scene)));
  const NetworkPicture picture = draw_network(scene.placed.network());
  section.add(figure_element(picture.svg, picture.caption));
  section.add(platform_source(scene));
  if (!scene.placed.network().classes.empty()) {
    section.add(text_element("h3", "What its links cost"));
    section.add(text_element("p",
                             "As measured, for each class of links: the gap between messages, and the processor's "
                             "time to send and to receive one.")
                    .set("class", "note"));
    add_panels(section, parameter_figures(scene.placed.network()));
  }

  const auto collectives = kinds_of(rows, [](const auto& row) { return row.collective; });
  for (const std::string& collective : collectives) {
    std::vector<ComparisonRow> some;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
                 [&](const ComparisonRow& row) { return row.collective == collective; });
    section.add(collective_section(experiment, outcome, scene, some, comparison, collectives.size() == 1));
  }
  if (experiment.timeline && scene.placed.size() == max_ranks(outcome, scene))
    add_timeline(section, *experiment.timeline, experiment, scene);
  return section;
}

}  // namespace

ReportContext report_context(std::string command, std::string version) {
  ReportContext context;
  context.command = std::move(command);
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[64];
  context.created_at.assign(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z", &parts));
  utsname system{};
  if (uname(&system) == 0) {
    context.machine.emplace_back("kernel", fmt::format("{} {}", system.sysname, system.release));
    context.machine.emplace_back("machine",
                                 fmt::format("{}, {} cores", system.machine, std::thread::hardware_concurrency()));
  }
  context.machine.emplace_back("version", std::move(version));
  return context;
}

std::string report_html(const Experiment& experiment, const Outcome& outcome, const ReportContext& context) {
  const Comparison comparison = compare(outcome.records, experiment.reference);
  const ExperimentVerdict found = verdict(experiment, outcome);
  const bool met = found.summary.missed == 0;

  Element head("head");
  head.add(Element("meta").set("charset", "utf-8"));
  head.add(Element("meta").set("name", "viewport").set("content", "width=device-width, initial-scale=1"));
  head.add(text_element("title", experiment.title));
  head.add(Element("link").set("rel", "icon").set("href", "data:,"));
  head.add(Element("style").raw(picture_css).raw(report_css));

  Element header("header");
  header.add(text_element("h1", experiment.title));
  if (!experiment.question.empty()) header.add(text_element("p", experiment.question).set("class", "question"));
  Element answer("p"), findings("ul");
  if (!outcome.checks.empty()) answer.add(text_element("strong", met ? "✓" : "✗"));
  answer.text(sentences(found.summary));
  for (const Finding& finding : found.findings) findings.add(text_element("li", sentence(finding)));
  Element box("div");
  box.set("class", met ? "verdict" : "verdict no").add(answer);
  header.add(found.findings.empty() ? box : box.add(findings));
  if (!outcome.notes.empty()) {
    Element notes("ul");
    notes.set("class", "notes").set("aria-label", "notes");
    for (const Note& note : outcome.notes) notes.add(text_element("li", labelled_sentence(note)));
    header.add(notes);
  }
  for (const std::string& sentence : conditions_of(outcome))
    header.add(text_element("p", sentence).set("class", "conditions"));
  Element contents("nav");
  contents.set("aria-label", "contents");
  const std::optional<Element> maps = maps_section(experiment, outcome, comparison);
  if (maps) contents.add(text_element("a", "Which algorithm is quickest").set("href", "#maps")).text(" ");
  for (const Scene& scene : outcome.scenes) {
    const std::string title = title_of(scene, experiment);
    contents.add(text_element("a", title).set("href", "#" + id_of(scene))).text(" ");
  }
  contents.add(text_element("a", "Where the numbers come from").set("href", "#provenance")).text(" ");
  contents.add(csv_download(experiment, outcome));
  header.add(Element("p").add(contents)).add(filters(comparison));

  Element main("main");
  if (maps) main.add(*maps);
  for (const Scene& scene : outcome.scenes) main.add(scene_section(experiment, outcome, scene, comparison));
  main.add(provenance_section(experiment, outcome, context));

  Element body("body");
  body.add(header).add(main);
  std::string version = fmt::format("isthmus {}", ISTHMUS_VERSION);
  for (const auto& [key, value] : context.machine)
    if (key == "version") version = value;
  body.add(text_element("footer", fmt::format("Made by {} on {}.", version, context.created_at)));
  body.add(Element("div").set("id", "tip").set("role", "status"));
  body.add(Element("script").raw(report_js));
  return "<!DOCTYPE html>\n" + Element("html").set("lang", "en").add(head).add(body).str() + "\n";
}

std::string report_file(const Experiment& experiment, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw BadInput(fmt::format("{}: cannot be made: {}; name another folder", folder, error.message()));
  std::string file = (std::filesystem::path(folder) / (experiment.name + ".html")).string();
  check_output_file(file);
  return file;
}

std::string write_report(const Experiment& experiment, const Outcome& outcome, const ReportContext& context,
                         const std::string& folder) {
  std::string file = report_file(experiment, folder);
  write_whole_file(file, report_html(experiment, outcome, context));
  return file;
}

}  // namespace isthmus
