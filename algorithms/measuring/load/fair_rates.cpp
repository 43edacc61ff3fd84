#include "algorithms/measuring/load/fair_rates.hpp"

#include <algorithm>
#include <cstddef>

namespace isthmus {

std::vector<double> fair_rates_Bps(const std::vector<double>& links_Bps, const std::vector<std::vector<int>>& links_of,
                                   const std::vector<double>& limits_Bps) {
  constexpr double rounding = 1e-9;
  std::vector<double> left_Bps = links_Bps, rates_Bps(limits_Bps.size());
  std::vector<bool> grows(limits_Bps.size(), true);
  while (std::ranges::count(grows, true) > 0) {
    double step_Bps = infinite;
    std::vector<int> on_it(links_Bps.size());
    for (std::size_t i = 0; i < grows.size(); ++i) {
      if (!grows[i]) continue;
      step_Bps = std::min(step_Bps, limits_Bps[i] - rates_Bps[i]);
      for (const int link : links_of[i]) ++on_it[link];
    }
    for (std::size_t link = 0; link < on_it.size(); ++link)
      if (on_it[link] > 0) step_Bps = std::min(step_Bps, left_Bps[link] / on_it[link]);
    for (std::size_t link = 0; link < on_it.size(); ++link) left_Bps[link] -= step_Bps * on_it[link];
    for (std::size_t i = 0; i < grows.size(); ++i) {
      if (!grows[i]) continue;
      rates_Bps[i] += step_Bps;
      grows[i] = rates_Bps[i] < (1 - rounding) * limits_Bps[i] && std::ranges::none_of(links_of[i], [&](int link) {
                   return left_Bps[link] <= rounding * links_Bps[link];
                 });
    }
  }
  return rates_Bps;
}

std::vector<double> fair_rates_Bps(const Network& network, const std::vector<std::pair<int, int>>& streams) {
  std::vector<double> links_Bps, limits_Bps;
  std::vector<std::vector<int>> links_of;
  for (const Link& link : network.links) links_Bps.push_back(link.bandwidth_Bps);
  for (const auto& [from, to] : streams) {
    const Route route = network.route(from, to);
    limits_Bps.push_back(route.bandwidth_Bps);
    links_of.push_back(route.links);
    std::erase_if(links_of.back(), [&](int link) { return network.links[link].sharing == Sharing::fatpipe; });
  }
  return fair_rates_Bps(links_Bps, links_of, limits_Bps);
}

}  // namespace isthmus
