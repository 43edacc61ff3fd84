#include "algorithms/measuring/residuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace isthmus {

void add_residuals(Discovered& found, const std::map<std::pair<int, int>, double>& ways_s,
                   const std::map<std::pair<int, int>, double>& rates_Bps) {
  const Network& network = found.network;
  std::map<std::pair<int, int>, MeasuredRoute> routes;
  const auto header = network.transport.header_bytes;
  const auto empty_s = [&](const Route& route) {
    return route.latency_s + std::max(network.transport.send_overhead_s, header / route.bandwidth_Bps);
  };
  const auto add = [&](std::pair<int, int> pair) -> MeasuredRoute& {
    MeasuredRoute& route = routes[pair];
    route.from = pair.first;
    route.to = pair.second;
    const auto way = ways_s.find(std::minmax(pair.first, pair.second));
    if (way != ways_s.end()) route.empty_s = way->second;
    const Route there = network.route(pair.first, pair.second), back = network.route(pair.second, pair.first);
    route.found_empty_s = (empty_s(there) + empty_s(back)) / 2;
    return route;
  };
  for (const auto& [pair, way] : ways_s) add(pair);
  for (const auto& [pair, rate] : rates_Bps) {
    MeasuredRoute& route = add(pair);
    route.rate_Bps = rate;
    route.found_rate_Bps = network.route(pair.first, pair.second).bandwidth_Bps;
  }
  int off = 0, worst_from = 0, worst_to = 0;
  double worst = 0;
  for (const auto& [pair, route] : routes) {
    found.routes.push_back(route);
    if (route.empty_s <= 0) continue;
    const double deviation = std::abs(route.found_empty_s / route.empty_s - 1);
    if (deviation > 0.1) ++off;
    if (deviation > worst) worst = deviation, worst_from = pair.first, worst_to = pair.second;
  }
  if (off > 0) {
    found.notes.push_back({Note::Kind::unsettled,
                           fmt::format("{} of {} routes differ by more than 10 % from their measured latency; {} to "
                                       "{} by {:.0f} %",
                                       off, found.routes.size(), network.hosts[worst_from].name,
                                       network.hosts[worst_to].name, 100 * worst),
                           "", 1});
  }
}

}  // namespace isthmus
