#include "algorithms/synthesis/balanced_shares.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/synthesis/due_times.hpp"
#include "algorithms/synthesis/shares.hpp"

namespace isthmus {
namespace {

constexpr double kMinFactor = 0.25, kMaxFactor = 4;  // of a share

/// What tells apart the ways that serve different data: their ends.
std::pair<int, int> ends_of(const Way& way, Collective collective) {
  if (!way.back.empty()) return {-1, -1};
  const std::vector<int>& sites = way.sites;
  if (is_alltoall(collective) || is_scatter(collective) || is_gather(collective)) return {sites.front(), sites.back()};
  return {root_of(sites), -1};
}

using Groups = std::map<std::pair<int, int>, std::vector<std::size_t>>;

/// The numbers of the ways that serve the same.
Groups groups_of(const Packing& packing, Collective collective) {
  Groups groups;
  for (std::size_t way = 0; way < packing.ways.size(); ++way)
    groups[ends_of(packing.ways[way], collective)].push_back(way);
  return groups;
}

/// By share.
double mean_end_s(const Packing& packing, const std::vector<std::size_t>& ways, std::span<const double> end_s) {
  double sum = 0, seconds = 0;
  for (const std::size_t way : ways) {
    const auto share = static_cast<double>(packing.ways[way].share);
    sum += share;
    seconds += share * end_s[way];
  }
  return seconds / sum;
}

}  // namespace

bool has_shares_to_choose(const Packing& packing, Collective collective) {
  return groups_of(packing, collective).size() < packing.ways.size();
}

double least_balanced_s(const Packing& packing, Collective collective, std::span<const double> end_s) {
  const Groups groups = groups_of(packing, collective);
  return groups.size() == 1 ? mean_end_s(packing, groups.begin()->second, end_s) : 0;
}

Packing balanced(const Packing& packing, Collective collective, std::span<const double> end_s, double gain) {
  const double whole_s = std::ranges::max(end_s);
  Packing other = packing;
  for (const auto& [ends, ways] : groups_of(packing, collective)) {
    if (ways.size() == 1) continue;
    const double mean_s = mean_end_s(packing, ways, end_s);
    std::vector<double> parts;
    double all = 0;
    for (const std::size_t way : ways) {
      const double factor = std::clamp(1 - gain * (end_s[way] - mean_s) / whole_s, kMinFactor, kMaxFactor);
      parts.push_back(static_cast<double>(packing.ways[way].share) * factor);
      all += parts.back();
    }
    for (std::size_t i = 0; i < ways.size(); ++i)
      other.ways[ways[i]].share = std::max<std::int64_t>(1, std::llround(kShares * parts[i] / all));
  }
  return other;
}

}  // namespace isthmus
