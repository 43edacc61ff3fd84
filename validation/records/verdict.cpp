#include "validation/records/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace isthmus {
namespace {

Summary summary_of(std::span<const Record> records, std::span<const Check> checks, int repetitions) {
  Summary summary;
  summary.results = records.size();
  summary.checks = checks.size();
  const std::vector<Check> out_of_tolerance = missed(checks);
  summary.missed = out_of_tolerance.size();
  if (!out_of_tolerance.empty()) summary.worst = out_of_tolerance.front();
  std::map<std::pair<Source, Source>, const Check*> largest;
  for (const Check& check : checks) {
    const Check*& held = largest[{check.source, check.against}];
    if (held == nullptr || std::abs(check.error) > std::abs(held->error)) held = &check;
  }
  for (const auto& [pair, check] : largest) summary.largest_errors.push_back(*check);
  summary.unsettled = static_cast<std::size_t>(std::count_if(records.begin(), records.end(), is_unsettled));
  summary.repetitions = repetitions;
  return summary;
}

std::vector<Finding> findings_in(const Comparison& comparison) {
  std::map<std::pair<std::string, std::string>, std::vector<const ComparisonRow*>> contests;
  std::map<std::string, std::set<int>> ranks;
  std::set<std::string> collectives;
  for (const ComparisonRow& row : comparison.rows) {
    collectives.insert(row.collective);
    if (row.of(comparison.reference) == nullptr) continue;
    std::vector<const ComparisonRow*>& rows = contests[{row.platform, row.collective}];
    ranks[row.platform].insert(row.ranks);
    const auto place = [](const ComparisonRow& of) { return std::pair(of.ranks, of.bytes); };
    if (!rows.empty() && place(row) > place(*rows.front())) rows.clear();
    if (rows.empty() || place(row) == place(*rows.front())) rows.push_back(&row);
  }
  std::vector<Finding> findings;
  for (auto& [contest, rows] : contests) {
    if (rows.size() < 2) continue;
    const auto seconds = [&](const ComparisonRow* row) { return *row->seconds(comparison.reference); };
    std::ranges::stable_sort(rows, {}, seconds);
    const ComparisonRow& best = *rows[0];
    findings.push_back({best.platform,
                        best.collective,
                        best.ranks,
                        best.bytes,
                        ranks[best.platform].size() > 1,
                        collectives.size() > 1,
                        {best.algorithm, seconds(rows[0])},
                        {rows[1]->algorithm, seconds(rows[1])},
                        best.over_bound(comparison.reference)});
  }
  return findings;
}

}  // namespace

std::vector<Check> missed(std::span<const Check> checks) {
  std::vector<Check> found;
  for (const Check& check : checks)
    if (!check.met()) found.push_back(check);
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const Check& check) { return std::abs(check.error) - check.tolerance; });
  return found;
}

ExperimentVerdict verdict_on(std::span<const Record> records, std::span<const Check> checks, Source reference,
                             int repetitions) {
  return {summary_of(records, checks, repetitions), findings_in(compare(records, reference))};
}

}  // namespace isthmus
