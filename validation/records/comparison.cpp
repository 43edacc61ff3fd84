#include "validation/records/comparison.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "validation/records/quickest.hpp"

namespace isthmus {

std::optional<double> ComparisonRow::seconds(Source source) const {
  const Record* record = of(source);
  return record == nullptr ? std::nullopt : std::optional(record->seconds);
}

std::optional<double> ComparisonRow::error(Source source, Source against) const {
  const Record *record = of(source), *other = of(against);
  if (record == nullptr || other == nullptr) return std::nullopt;
  return relative_error(record->seconds, other->seconds);
}

std::optional<double> ComparisonRow::over_bound(Source source) const {
  const Record* record = of(source);
  return record == nullptr ? std::nullopt : isthmus::over_bound(record->seconds, record->bound_seconds);
}

std::string ComparisonRow::chosen(Source source) const {
  const Record* record = of(source);
  for (const Record* other : by_source)
    if (record == nullptr) record = other;
  if (record == nullptr || record->plan == algorithm) return "";
  return record->plan.substr(record->plan.starts_with(algorithm + ":") ? algorithm.size() + 1 : 0);
}

Comparison compare(std::span<const Record> records, Source reference) {
  Comparison comparison;
  // Groups keep the order in which they first appear: platform and placement first, then collective, then algorithm.
  std::map<std::tuple<std::string, std::string, std::string, int, int>, std::size_t> scenes;
  std::map<std::string, std::size_t> collectives;
  std::map<std::pair<std::string, std::string>, std::size_t> algorithms;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t, std::int64_t>, ComparisonRow> rows;
  bool present[std::size(all_sources)] = {};
  for (const Record& record : records) {
    const auto scene = scenes.try_emplace(
        {record.platform, record.network_digest, record.placement, record.ranks, record.root}, scenes.size());
    const auto algorithm = algorithms.try_emplace({record.collective, record.requested}, algorithms.size());
    const auto collective = collectives.try_emplace(record.collective, collectives.size());
    ComparisonRow& row = rows[{scene.first->second, collective.first->second, algorithm.first->second, record.bytes}];
    if (row.by_source.empty()) {
      row = {record.platform, record.collective, record.requested, record.bytes, record.ranks, record.root, 0, {}};
      row.by_source.resize(std::size(all_sources));
    }
    if (record.bound_seconds > 0)
      row.bound_seconds =
          row.bound_seconds > 0 ? std::min(row.bound_seconds, record.bound_seconds) : record.bound_seconds;
    row.by_source[static_cast<std::size_t>(record.source)] = &record;
    present[static_cast<std::size_t>(record.source)] = true;
  }
  for (auto& [key, row] : rows) comparison.rows.push_back(std::move(row));
  for (const Source source : all_sources)
    if (present[static_cast<std::size_t>(source)]) comparison.sources.push_back(source);
  comparison.reference = reference;
  if (!comparison.sources.empty() && !present[static_cast<std::size_t>(reference)])
    comparison.reference = comparison.sources.back();
  return comparison;
}

bool same_scene(const ComparisonRow& a, const ComparisonRow& b) {
  return a.platform == b.platform && a.collective == b.collective && a.ranks == b.ranks && a.root == b.root;
}

std::vector<ComparisonRow> quickest_first(std::span<const ComparisonRow> rows, Source source) {
  std::vector<ComparisonRow> sorted(rows.begin(), rows.end());
  const auto place = [&](const ComparisonRow& row) {
    return std::pair(row.bytes, row.seconds(source).value_or(std::numeric_limits<double>::infinity()));
  };
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::find_if_not(begin, sorted.end(), [&](const auto& row) { return same_scene(*begin, row); });
    std::stable_sort(begin, end, [&](const auto& a, const auto& b) { return place(a) < place(b); });
    begin = end;
  }
  return sorted;
}

}  // namespace isthmus
