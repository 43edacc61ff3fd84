#include "validation/report/map_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr double cell_width = 30, cell_height = 20, letter_width = 6.7, below = 58;
constexpr std::size_t hues = 6;
constexpr double visible_percent = 0.5;  ///< a penalty below it is no penalty

char letter(std::size_t i) { return static_cast<char>('A' + i % 26); }

std::vector<std::int64_t> sizes_of(std::span<const MapLine> lines) {
  std::set<std::int64_t> sizes;
  for (const MapLine& line : lines)
    for (const ComparisonRow* row : line.rows) sizes.insert(row->bytes);
  return {sizes.begin(), sizes.end()};
}

/// The quickest by `source` of a line at a size, among those that `known` has too; null where there is none.
const ComparisonRow* quickest(const MapLine& line, std::int64_t bytes, Source source, Source known) {
  const ComparisonRow* best = nullptr;
  for (const ComparisonRow* row : line.rows) {
    if (row->bytes != bytes || !row->seconds(source) || !row->seconds(known)) continue;
    if (best == nullptr || *row->seconds(source) < *best->seconds(source)) best = row;
  }
  return best;
}

struct Cell {
  std::string text, note, css_class;
  double opacity = 1;
};

/// A map whose cells `cell_of(line, bytes)` gives, none where nothing is known.
template <class CellOf>
Element draw_map(std::span<const MapLine> lines, const std::string& description, CellOf cell_of) {
  const std::vector<std::int64_t> sizes = sizes_of(lines);
  std::size_t letters = 1;
  for (const MapLine& line : lines) letters = std::max(letters, line.label.size());
  const double left = 12 + letter_width * static_cast<double>(letters);
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
      const std::optional<Cell> cell = cell_of(lines[i], sizes[j]);
      if (!cell) continue;
      const double x = left + cell_width * static_cast<double>(j);
      Element point("g");
      point.set("class", "point").set("data-note", cell->note).set("data-bytes", std::to_string(sizes[j]));
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
  std::vector<std::string> found;
  for (const MapLine& line : lines)
    for (const std::int64_t bytes : sizes_of(lines))
      for (const Source source : sources) {
        const ComparisonRow* best = quickest(line, bytes, source, source);
        if (best != nullptr && std::find(found.begin(), found.end(), best->algorithm) == found.end())
          found.push_back(best->algorithm);
      }
  std::vector<std::string> arrived;
  for (const MapLine& line : lines)
    for (const ComparisonRow* row : line.rows)
      if (std::find(found.begin(), found.end(), row->algorithm) != found.end() &&
          std::find(arrived.begin(), arrived.end(), row->algorithm) == arrived.end())
        arrived.push_back(row->algorithm);
  return arrived;
}

Element draw_decision_map(std::span<const MapLine> lines, std::span<const std::string> algorithms, Source source) {
  const auto cell_of = [&](const MapLine& line, std::int64_t bytes) -> std::optional<Cell> {
    const ComparisonRow* best = quickest(line, bytes, source, source);
    if (best == nullptr) return std::nullopt;
    const auto number =
        static_cast<std::size_t>(std::find(algorithms.begin(), algorithms.end(), best->algorithm) - algorithms.begin());
    return Cell{{letter(number)},
                fmt::format("{}, {}: {}, {} ({})", line.label, format_bytes(bytes), best->algorithm,
                            format_seconds(*best->seconds(source)), best->of(source)->plan),
                fmt::format("hue{}", number % hues)};
  };
  return draw_map(lines, fmt::format("The quickest algorithm by {}, over message size and ranks", label(source)),
                  cell_of);
}

Element map_legend(std::span<const std::string> algorithms) {
  Element legend("ul");
  legend.set("class", "map-legend");
  for (std::size_t i = 0; i < algorithms.size(); ++i)
    legend.add(Element("li")
                   .add(text_element("span", std::string(1, letter(i))).set("class", fmt::format("hue{}", i % hues)))
                   .text(algorithms[i]));
  return legend;
}

Element draw_penalty_map(std::span<const MapLine> lines, Source model, Source reference) {
  struct Penalty {
    const ComparisonRow *chosen, *best;
    double percent;
  };
  const auto penalty_of = [&](const MapLine& line, std::int64_t bytes) -> std::optional<Penalty> {
    const ComparisonRow* best = quickest(line, bytes, reference, reference);
    const ComparisonRow* chosen = quickest(line, bytes, model, reference);
    if (best == nullptr || chosen == nullptr || *best->seconds(reference) <= 0) return std::nullopt;
    return Penalty{chosen, best, 100 * (*chosen->seconds(reference) / *best->seconds(reference) - 1)};
  };
  double most = 10;
  for (const MapLine& line : lines)
    for (const std::int64_t bytes : sizes_of(lines))
      if (const auto penalty = penalty_of(line, bytes)) most = std::max(most, penalty->percent);
  const auto cell_of = [&](const MapLine& line, std::int64_t bytes) -> std::optional<Cell> {
    const auto penalty = penalty_of(line, bytes);
    if (!penalty) return std::nullopt;
    const bool free = penalty->percent < visible_percent;
    const std::string found =
        free ? fmt::format("{}, as quick as any", penalty->chosen->algorithm)
             : fmt::format("{} takes {}, {} {}", penalty->chosen->algorithm,
                           format_seconds(*penalty->chosen->seconds(reference)), penalty->best->algorithm,
                           format_seconds(*penalty->best->seconds(reference)));
    return Cell{free ? "" : fmt::format("{:.0f}", penalty->percent),
                fmt::format("{}, {}: {}", line.label, format_bytes(bytes), found), free ? "free" : "costly",
                free ? 1 : 0.15 + 0.85 * penalty->percent / most};
  };
  return draw_map(lines,
                  fmt::format("What the choice by {} costs by {} in percent, over message size and ranks", name(model),
                              name(reference)),
                  cell_of);
}

}  // namespace isthmus
