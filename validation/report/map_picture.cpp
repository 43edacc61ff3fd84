#include "validation/report/map_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "validation/records/quickest.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double cell_width = 30, cell_height = 20, cell_letter_width = 6.7, below = 58;
constexpr double visible_percent = 0.5;  ///< a smaller penalty is drawn as none

char letter(std::size_t i) { return static_cast<char>('A' + i % 26); }

std::vector<std::int64_t> sizes_of(std::span<const MapLine> lines) {
  std::set<std::int64_t> sizes;
  for (const MapLine& line : lines)
    for (const ComparisonRow* row : line.rows) sizes.insert(row->bytes);
  return {sizes.begin(), sizes.end()};
}

/// The times of a source on a map, cell by cell, and the rows that they come from.
struct MapTimes {
  std::vector<CellTime> times;
  std::vector<const ComparisonRow*> rows;
};

/// The index of a cell: row-major, lines by sizes.
std::int64_t cell_number(std::size_t line, std::size_t size, std::size_t sizes) {
  return static_cast<std::int64_t>(line * sizes + size);
}

MapTimes times_of(std::span<const MapLine> lines, Source source) {
  const std::vector<std::int64_t> sizes = sizes_of(lines);
  MapTimes found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const ComparisonRow* row : lines[i].rows) {
      const auto seconds = row->seconds(source);
      if (!seconds) continue;
      const auto size = static_cast<std::size_t>(std::ranges::find(sizes, row->bytes) - sizes.begin());
      found.times.push_back({cell_number(i, size, sizes.size()), row->algorithm, *seconds});
      found.rows.push_back(row);
    }
  }
  return found;
}

struct MapCell {
  std::string text, note, css_class;
  double opacity = 1;
};

/// A map with the cells of these indices; all other cells are drawn as unknown.
Element draw_map(std::span<const MapLine> lines, const std::string& description,
                 const std::map<std::int64_t, MapCell>& cells) {
  const std::vector<std::int64_t> sizes = sizes_of(lines);
  std::size_t letters = 1;
  for (const MapLine& line : lines) letters = std::max(letters, line.label.size());
  const double left = 12 + cell_letter_width * static_cast<double>(letters);
  const double bottom = 4 + cell_height * static_cast<double>(lines.size());
  const double right = left + cell_width * static_cast<double>(sizes.size());
  Element svg("svg");
  svg.set("viewBox", fmt::format("0 0 {} {}", right + 12, bottom + below)).set("class", "map");
  svg.set("style", fmt::format("width: {:.0f}px", right + 12));
  svg.set("role", "img").set("tabindex", "0").set("aria-label", description);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = left + cell_width * (static_cast<double>(i) + 0.5);
    svg.add(svg_text(0, 0, format_bytes(sizes[i]), "end", "tick")
                .set("transform", fmt::format("translate({:.2f} {:.2f}) rotate(-45)", x + 4, bottom + 14)));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double y = bottom - cell_height * static_cast<double>(i + 1);  // upwards, like an axis
    svg.add(svg_text(left - 7, y + cell_height / 2 + 4, lines[i].label, "end", "tick"));
    Element line("g");
    line.set("class", "bar");
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      const auto found = cells.find(cell_number(i, j, sizes.size()));
      if (found == cells.end()) continue;
      const MapCell* cell = &found->second;
      const double x = left + cell_width * static_cast<double>(j);
      Element point("g");
      point.set("class", "point").set("data-bytes", std::to_string(sizes[j]));
      point.set("data-note", fmt::format("{}, {}: {}", lines[i].label, format_bytes(sizes[j]), cell->note));
      point.add(Element("rect")
                    .set("class", "cell " + cell->css_class)
                    .set("x", x)
                    .set("y", y)
                    .set("width", cell_width - 1)
                    .set("height", cell_height - 1)
                    .set("fill-opacity", cell->opacity));
      const char* dark = cell->opacity > 0.55 ? "letter" : "letter on-light";
      if (!cell->text.empty())
        point.add(svg_text(x + (cell_width - 1) / 2, y + cell_height / 2 + 4, cell->text, "middle", dark));
      line.add(point);
    }
    svg.add(line);
  }
  return svg;
}

}  // namespace

std::vector<std::string> quickest_algorithms(std::span<const MapLine> lines, std::span<const Source> sources) {
  std::set<std::string> found;
  for (const Source source : sources) {
    const MapTimes known = times_of(lines, source);
    for (const std::size_t number : quickest(known.times)) found.insert(known.times[number].plan);
  }
  std::vector<std::string> arrived;
  for (const MapLine& line : lines)
    for (const ComparisonRow* row : line.rows)
      if (found.contains(row->algorithm) && std::ranges::find(arrived, row->algorithm) == arrived.end())
        arrived.push_back(row->algorithm);
  return arrived;
}

Element draw_decision_map(std::span<const MapLine> lines, std::span<const std::string> algorithms, Source source) {
  const MapTimes known = times_of(lines, source);
  std::map<std::int64_t, MapCell> cells;
  for (const std::size_t i : quickest(known.times)) {
    const CellTime& best = known.times[i];
    const auto number = static_cast<std::size_t>(std::ranges::find(algorithms, best.plan) - algorithms.begin());
    cells[best.cell] = {{letter(number)},
                        fmt::format("{}, {} ({})", best.plan, format_seconds(best.seconds),
                                    short_plan(known.rows[i]->of(source)->plan)),
                        hue_class(number)};
  }
  return draw_map(lines, fmt::format("The quickest algorithm by {}, over message size and ranks", label(source)),
                  cells);
}

Element map_legend(std::span<const std::string> algorithms) {
  Element legend("ul");
  legend.set("class", "map-legend");
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    legend.add(Element("li")
                   .add(text_element("span", std::string(1, letter(i))).set("class", hue_class(i)))
                   .text(algorithms[i]));
  return legend;
}

Element draw_penalty_map(std::span<const MapLine> lines, Source model, Source reference) {
  const std::vector<CellTime> times = times_of(lines, reference).times;
  std::vector<Penalty> found = penalties(times_of(lines, model).times, times);
  std::erase_if(found, [](const Penalty& penalty) { return !std::isfinite(penalty.percent); });
  double most = 10;
  for (const Penalty& penalty : found) most = std::max(most, penalty.percent);
  std::map<std::int64_t, MapCell> cells;
  for (const Penalty& penalty : found) {
    const CellTime &chosen = times[penalty.chosen], &best = times[penalty.best];
    const bool free = penalty.percent < visible_percent;
    cells[chosen.cell] = {free ? "" : fmt::format("{:.0f}", penalty.percent),
                          free ? fmt::format("{}, as quick as any", chosen.plan)
                               : fmt::format("{} takes {}, {} {}", chosen.plan, format_seconds(chosen.seconds),
                                             best.plan, format_seconds(best.seconds)),
                          free ? "free" : "costly", free ? 1 : 0.15 + 0.85 * penalty.percent / most};
  }
  return draw_map(lines,
                  fmt::format("What the choice by {} costs by {} in percent, over message size and ranks", name(model),
                              name(reference)),
                  cells);
}

}  // namespace isthmus
