#include "algorithms/measuring/load/route_loads.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "algorithms/measuring/stream_window.hpp"

namespace isthmus {

std::vector<double> RouteLoad::alone_Bps() const {
  std::vector<double> all;
  for (const LoadedPair& pair : pairs) all.push_back(pair.alone_Bps);
  return all;
}

RouteLoads::RouteLoads(const LoadInput& input, const PairProber& prober)
    : input_(input),
      prober_(prober),
      own_rates_(input.groups.points, input.rates_Bps),
      parents_(input.groups.children.size(), -1) {
  for (int group = input.groups.points; group <= input.groups.root(); ++group)
    for (const int child : input.groups.children[group]) parents_[child] = group;
}

int RouteLoads::host(int part, std::size_t number) const {
  const std::vector<int> all = hosts(part);
  return all[number % all.size()];
}

std::vector<int> RouteLoads::hosts(int part) const {
  if (input_.groups.is_point(part)) return {part};
  const int first = input_.representatives[part];
  struct Candidate {
    int host;
    std::size_t within;  // its place in the part inside
  };
  std::vector<Candidate> candidates;
  const auto by_rate = [&](const Candidate& one) {
    return std::tuple(one.host != first, one.within, -own_rates_.both_Bps(one.host));
  };
  for (const int child : input_.groups.children[part]) {
    std::vector<int> inside = input_.groups.points_of(child);
    std::ranges::stable_sort(inside, {},
                             [&](int host) { return std::pair(host != first, -own_rates_.both_Bps(host)); });
    for (std::size_t i = 0; i < inside.size(); ++i) candidates.push_back({inside[i], i});
  }
  std::ranges::stable_sort(candidates, {}, by_rate);
  std::vector<int> all;
  for (const Candidate& one : candidates) all.push_back(one.host);
  return all;
}

int RouteLoads::beyond(int part) const {
  const int group = parents_[part];
  if (group < 0 || parents_[group] < 0) return -1;
  int best = -1;
  double highest_Bps = 0;
  for (const int other : input_.groups.children[parents_[group]]) {
    if (other == group) continue;
    const double rate = std::min(rate_Bps({group, other}), rate_Bps({other, group}));
    if (rate > highest_Bps) best = other, highest_Bps = rate;
  }
  return best;
}

RouteLoads::Route RouteLoads::ends(Route route) const {
  if (route.first == outside_group) return {beyond(route.second), route.second};
  if (route.second == outside_group) return {route.first, beyond(route.first)};
  return route;
}

double RouteLoads::rate_Bps(Route route) const {
  const auto [from, to] = ends(route);
  if (std::min(route.first, route.second) == outside_group) return input_.measured_Bps(host(from), host(to));
  const auto known = input_.rates_Bps.find({host(from), host(to)});
  return known == input_.rates_Bps.end() ? 0 : known->second;
}

LoadedPair RouteLoads::pair_of(int from_host, int to_host, double alone_Bps, Route route) const {
  const auto order_way_s = [this](int to) { return to == 0 ? 0 : input_.way_s(0, to); };
  const auto [from, to] = ends(route);
  return {from_host,
          to_host,
          alone_Bps,
          input_.way_s(from_host, to_host),
          order_way_s(from_host),
          order_way_s(to_host),
          input_.is_faster_than_messages(host(from), host(to))};
}

LoadedPair RouteLoads::pair_of(Route route, std::size_t from_number, std::size_t to_number) const {
  const auto [from, to] = ends(route);
  const int sender = host(from, from_number), receiver = host(to, to_number);
  return pair_of(sender, receiver, own_rates_.limited_Bps(rate_Bps(route), sender, receiver), route);
}

std::size_t RouteLoads::next_host(int part, Side side, double rate_Bps, Uses& used) const {
  const std::vector<int> all = hosts(part);
  const auto next = std::ranges::min_element(all, {}, [&](int host) {
    const Use& use = use_of(host, side, used);
    return std::pair(use.streams, use.streams == 0 ? 0 : use.Bps - own_Bps(host, side));
  });
  Use& use = use_of(*next, side, used);
  ++use.streams;
  use.Bps += std::min(rate_Bps, own_Bps(*next, side));
  return static_cast<std::size_t>(next - all.begin());
}

RouteLoad RouteLoads::load(const std::vector<Route>& routes, int tests, bool arrive_together) const {
  std::vector<std::size_t> quickest_first(routes.size());
  std::iota(quickest_first.begin(), quickest_first.end(), std::size_t{0});
  std::ranges::stable_sort(quickest_first, std::greater<>(), [&](std::size_t i) { return rate_Bps(routes[i]); });
  RouteLoad test{routes, std::vector<LoadedPair>(routes.size()), {}};
  Uses used;
  for (const std::size_t i : quickest_first) {
    const auto [from, to] = ends(routes[i]);
    const double Bps = rate_Bps(routes[i]);
    const std::size_t from_number = next_host(from, Side::sender, Bps, used),
                      to_number = next_host(to, Side::receiver, Bps, used);
    test.pairs[i] = pair_of(routes[i], from_number, to_number);
  }
  for (std::size_t i = 0; i < routes.size(); ++i) {
    LoadedPair& pair = test.pairs[i];
    const auto [from, to] = ends(routes[i]);
    // The link of a host that is alone is the port of its part, which the test is to find.
    for (const auto& [part, host, side] :
         {std::tuple(from, pair.from, Side::sender), std::tuple(to, pair.to, Side::receiver)})
      if (const Use& of_host = use_of(host, side, used); of_host.streams > 1 && hosts(part).size() > 1)
        pair.alone_Bps *= std::min(1.0, own_Bps(host, side) / of_host.Bps);
  }
  test.loaded_Bps = rates_at_once(test.pairs, prober_, tests, arrive_together);
  if (sum_of(test.loaded_Bps) == 0) test.loaded_Bps = at_once_from_start(test.pairs);
  return test;
}

std::vector<double> RouteLoads::at_once_from_start(const std::vector<LoadedPair>& pairs) const {
  constexpr double until_done = 2.3;  // the window ends after twice the time
  std::vector<double> rates_Bps = at_once(pairs, until_done);
  // Nothing had come when the window began.
  for (double& rate_Bps : rates_Bps) rate_Bps *= (stream_window_end - stream_window_start) / stream_window_end;
  return rates_Bps;
}

}  // namespace isthmus
