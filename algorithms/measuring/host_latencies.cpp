#include "algorithms/measuring/host_latencies.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace isthmus {
namespace {

constexpr int max_sweeps = 400;
constexpr double settled = 1e-10;  // largest step of a sweep, relative to the errors' scale

}  // namespace

HostLatencies fit_host_latencies(std::vector<double> of_host, const std::vector<bool>& is_fixed, int betweens,
                                 const std::vector<RouteLatency>& routes) {
  HostLatencies found{std::move(of_host), std::vector<double>(static_cast<std::size_t>(betweens))};
  std::vector<std::vector<std::size_t>> at_host(found.of_host.size()), at_between(found.of_between.size());
  for (std::size_t i = 0; i < routes.size(); ++i) {
    at_host[routes[i].one].push_back(i);
    at_host[routes[i].other].push_back(i);
    if (routes[i].between >= 0) at_between[routes[i].between].push_back(i);
  }
  const auto error_s = [&](const RouteLatency& route) {
    const double between_s = route.between < 0 ? 0 : found.of_between[route.between];
    return route.latency_s - found.of_host[route.one] - found.of_host[route.other] - between_s;
  };
  // Moves one latency to where the errors of its routes are smallest.
  const auto improve = [&](double& latency_s, const std::vector<std::size_t>& at) {
    double sum = 0, weights = 0;
    for (const std::size_t i : at) {
      const double weight = 1 / (routes[i].scale_s * routes[i].scale_s);
      sum += weight * error_s(routes[i]);
      weights += weight;
    }
    if (weights == 0) return 0.0;
    const double next_s = std::max(0.0, latency_s + sum / weights), step = std::abs(next_s - latency_s);
    if (step * std::sqrt(weights) < settled) return 0.0;
    latency_s = next_s;
    return step * std::sqrt(weights);
  };
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    double largest = 0;
    for (std::size_t i = 0; i < at_between.size(); ++i)
      largest = std::max(largest, improve(found.of_between[i], at_between[i]));
    for (std::size_t host = 0; host < at_host.size(); ++host)
      if (!is_fixed[host]) largest = std::max(largest, improve(found.of_host[host], at_host[host]));
    if (largest < settled) break;
  }
  return found;
}

}  // namespace isthmus
