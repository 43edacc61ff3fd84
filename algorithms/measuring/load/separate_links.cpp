#include "algorithms/measuring/load/separate_links.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/measuring/load/loaded_rates.hpp"

namespace isthmus {

std::vector<std::vector<std::size_t>> separate_links(
    const std::vector<double>& alone_Bps, const std::vector<double>& loaded_Bps,
    const std::function<bool(std::size_t one, std::size_t other)>& slow_each_other) {
  constexpr std::size_t min_streams_of_two_links = 4;
  std::vector<std::size_t> all(alone_Bps.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const double together_Bps = sum_of(loaded_Bps);
  // More than their quickest stream gets alone, as only several links carry, or one that is wider than the others.
  if (all.size() < min_streams_of_two_links || shares_below * together_Bps <= *std::ranges::max_element(alone_Bps))
    return {all};
  std::vector<std::vector<std::size_t>> links;
  std::vector<std::size_t> left = all;
  double links_Bps = 0;
  while (!left.empty()) {
    std::vector<std::size_t>& link = links.emplace_back();
    const std::size_t first = left.front();
    for (const std::size_t other : left)
      if (other == first || slow_each_other(first, other)) link.push_back(other);
    if (link.size() < 2) return {all};
    std::erase_if(left, [&](std::size_t stream) { return std::ranges::count(link, stream) > 0; });
    double quickest_Bps = 0;
    for (const std::size_t stream : link) quickest_Bps = std::max(quickest_Bps, alone_Bps[stream]);
    links_Bps += quickest_Bps;
  }
  if (together_Bps < shares_below * links_Bps) return {all};
  return links;
}

}  // namespace isthmus
