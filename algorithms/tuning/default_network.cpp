// A network with default costs for a topology.
#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/tuning/select.hpp"

namespace isthmus {
namespace {

struct LevelCost {
  double latency_s, bandwidth_Bps;
};
constexpr std::array<LevelCost, 3> default_costs = {{{10e-3, 10e6}, {50e-6, 100e6}, {1e-6, 5e9}}};

/// Costs between the parts of a group at a level.
LevelCost cost_between(int level, bool has_groups) {
  return default_costs[has_groups ? std::min<std::size_t>(level, default_costs.size() - 1) : 1];
}

}  // namespace

Placement one_rank_a_host(int ranks) {
  Placement placement;
  for (int rank = 0; rank < ranks; ++rank) placement.host_of_rank.push_back(rank);
  return placement;
}

Network default_network(const Topology& topology) {
  const bool has_groups = !topology.group(0).children.empty();
  const std::size_t ranks = topology.size(), groups = topology.groups().size();
  Network network;
  network.links.reserve(2 * (groups + ranks));
  network.hosts.reserve(ranks);
  network.name = "default";
  network.transport = tcp_over_ethernet();
  network.transport.frame_bytes = 0;  // costs are guesses; replaying frames would not be worth the time
  // Each group has a link out and a link in; each has half of the latency between the groups at the level outside.
  struct Boundary {
    int out, in;
  };
  std::vector<Boundary> boundaries;
  const auto add_boundary = [&](int level, const std::string& name) {
    const LevelCost cost = cost_between(level, has_groups);
    const auto number = static_cast<int>(network.links.size());
    network.links.push_back({name + ":out", cost.bandwidth_Bps, cost.latency_s / 2});
    network.links.push_back({name + ":in", cost.bandwidth_Bps, cost.latency_s / 2});
    return Boundary{number, number + 1};
  };
  for (std::size_t number = 0; number < topology.groups().size(); ++number) {
    const Group& group = topology.group(static_cast<int>(number));
    boundaries.push_back(number == 0 ? Boundary{-1, -1}
                                     : add_boundary(group.level - 1, "group" + std::to_string(number)));
  }
  for (int rank = 0; rank < topology.size(); ++rank) {
    Host host;
    host.name = "rank" + std::to_string(rank);
    const int innermost = topology.innermost(rank);
    std::vector<ZoneStep> zones;
    for (int group = innermost; group != 0; group = topology.group(group).parent)
      zones.insert(zones.begin(), {"level" + std::to_string(topology.group(group).level), topology.group(group).name});
    host.zones = std::move(zones);
    host.endpoint = innermost;
    const Boundary own = add_boundary(topology.group(innermost).level, host.name);
    host.up = {own.out};
    host.down = {own.in};
    network.hosts.push_back(std::move(host));
  }
  std::vector<int> endpoints;
  for (std::size_t number = 0; number < topology.groups().size(); ++number)
    endpoints.push_back(static_cast<int>(number));
  for (const int from : endpoints)
    for (const int to : endpoints) {
      std::vector<int> out, in;  // in: the innermost first
      int a = from, b = to;
      while (a != b) {
        if (topology.group(a).level >= topology.group(b).level) {
          out.push_back(boundaries[a].out);
          a = topology.group(a).parent;
        } else {
          in.push_back(boundaries[b].in);
          b = topology.group(b).parent;
        }
      }
      out.insert(out.end(), in.rbegin(), in.rend());
      network.trunks.emplace_hint(network.trunks.end(), std::pair(from, to), Trunk{.links = std::move(out)});
    }
  return network;
}

}  // namespace isthmus
