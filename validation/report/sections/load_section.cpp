#include "validation/report/sections/load_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/mpi_own.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/link_names.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

constexpr std::size_t max_links = 48, max_algorithms = 12;

struct Column {
  std::string algorithm;
  std::int64_t bytes = 0;
  std::map<int, double> share;  // by link
};

std::optional<Column> column_of(const ComparisonRow& row, const PlacedNetwork& placed, Source reference) {
  const Record* record = row.of(reference);
  if (record == nullptr || record->seconds <= 0) return std::nullopt;
  const Collective collective = collective_named(record->collective);
  const Plan plan = parse_plan(collective, record->plan);
  if (is_mpi_own(plan)) return std::nullopt;
  const Problem problem{collective, record->bytes / record->element_bytes, record->element_bytes, record->root};
  Column column{row.algorithm, row.bytes, {}};
  const ProgramSource programs = source(plan, placed.topology(), problem);
  for (const LinkLoad& load : link_loads(placed, programs, record->element_bytes))
    column.share[load.link] = load.seconds / record->seconds;
  return column;
}

/// The last row of each algorithm is that of its largest size.
std::vector<Column> columns_of(std::span<const ComparisonRow> rows, const PlacedNetwork& placed, Source reference) {
  std::map<std::string, const ComparisonRow*> largest;
  std::vector<std::string> order;
  for (const ComparisonRow& row : rows) {
    if (!row.of(reference)) continue;
    const auto [at, is_new] = largest.try_emplace(row.algorithm, &row);
    if (is_new) order.push_back(row.algorithm);
    if (row.bytes >= at->second->bytes) at->second = &row;
  }
  std::vector<Column> columns;
  for (const std::string& algorithm : order) {
    if (columns.size() == max_algorithms) break;
    try {
      if (auto column = column_of(*largest.at(algorithm), placed, reference)) columns.push_back(std::move(*column));
    } catch (const BadInput&) {  // a stored plan that is not known any more has no column
    }
  }
  return columns;
}

}  // namespace

std::optional<Element> load_section(std::span<const ComparisonRow> rows, const PlacedNetwork& placed,
                                    Source reference) {
  const Network& network = placed.network();
  const std::vector<bool> wide = wide_area_links(network);
  const std::vector<Column> columns = columns_of(rows, placed, reference);
  std::vector<int> links;
  for (int link = 0; link < static_cast<int>(network.links.size()); ++link)
    if (wide[link] && network.links[link].sharing == Sharing::shared) links.push_back(link);
  if (links.empty() || columns.empty()) return std::nullopt;
  const auto busiest = [&](int link) {
    double most = 0;
    for (const Column& column : columns)
      if (const auto at = column.share.find(link); at != column.share.end()) most = std::max(most, at->second);
    return most;
  };
  const std::size_t all = links.size();
  std::ranges::stable_sort(links, [&](int a, int b) { return busiest(a) > busiest(b); });
  if (all > max_links) links.resize(max_links);
  Element head("tr"), body("tbody");
  head.add(text_element("th", "link").set("scope", "col").set("class", "text"));
  for (const Column& column : columns)
    head.add(text_element("th", short_plan(column.algorithm))
                 .set("scope", "col")
                 .set("data-algorithm", column.algorithm)
                 .add(text_element("small", format_bytes(column.bytes) + ", %")));
  for (const int link : links) {
    Element line("tr");
    line.add(text_element("td", network.links[link].name).set("class", "text"));
    for (const Column& column : columns) {
      const auto at = column.share.find(link);
      Element cell = text_element("td", at == column.share.end() ? "–" : fmt::format("{:.0f}", 100 * at->second));
      cell.set("class", "load").set("data-algorithm", column.algorithm);
      if (at != column.share.end())
        cell.set("style", fmt::format("--busy: {:.1f}%", std::min(100.0, 100 * at->second)));
      line.add(cell);
    }
    body.add(line);
  }
  Element section("div");
  section.add(
      text_element("p", fmt::format("The share of the time by {} for which messages of the plan occupy each link "
                                    "between sites, in its direction, headers included.{}",
                                    name(reference),
                                    all > links.size() ? fmt::format(" The busiest {} of {} links.", links.size(), all)
                                                       : std::string()))
          .set("class", "note"));
  section.add(table_element(head, body, "load of the wide-area links"));
  return section;
}

}  // namespace isthmus
