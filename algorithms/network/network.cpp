#include "algorithms/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/memory.hpp"
#include "algorithms/network/forwarded_routes.hpp"

namespace isthmus {

double LinkClass::gap_factor(int destinations) const {
  if (gap_factors.empty()) return 1;
  if (destinations <= gap_factors.front().first) return gap_factors.front().second;
  for (std::size_t i = 1; i < gap_factors.size(); ++i) {
    const auto [more, factor] = gap_factors[i];
    const auto [less, before] = gap_factors[i - 1];
    if (destinations <= more) return before + (factor - before) * (destinations - less) / (more - less);
  }
  return gap_factors.back().second;
}

Transport tcp_over_ethernet() {
  return {.header_bytes = 100,
          .send_overhead_s = 1e-6,
          .receive_overhead_s = 1e-6,
          .frame_bytes = 1448,
          .acknowledgement_bytes = 31.56};
}

std::span<const LinkStep> Network::profile_of(int link) const {
  const auto found = profiles.find(link);
  if (found == profiles.end()) return {};
  return found->second;
}

int Network::class_of(std::span<const int> on_links) const {
  int outermost = -1;
  for (int link : on_links) outermost = std::max(outermost, links[link].link_class);
  return outermost;
}

bool Network::has_route(int from_host, int to_host) const {
  return from_host == to_host || trunks.contains({hosts[from_host].endpoint, hosts[to_host].endpoint});
}

bool is_wire(const Network& network, const Host& host, int link) {
  return network.links[link].sharing == Sharing::shared && std::ranges::count(host.up, link) > 0 &&
         std::ranges::count(host.down, link) > 0;
}

Route Network::route(int from_host, int to_host) const {
  const Host& from = hosts[from_host];
  const Host& to = hosts[to_host];
  Route route;
  if (from_host == to_host) {
    route.links = from.loopback;
  } else {
    const auto trunk = trunks.find({from.endpoint, to.endpoint});
    if (trunk == trunks.end()) {
      throw BadInput(
          fmt::format("{}: no route from host {} to host {}; the platform needs one", name, from.name, to.name));
    }
    const auto add = [&](std::span<const int> part) {
      route.links.insert(route.links.end(), part.begin(), part.end());
    };
    add(from.up);
    add(trunk->second.links);
    add(to.down);
  }
  route.bandwidth_Bps = std::numeric_limits<double>::infinity();
  for (int link : route.links) {
    route.latency_s += links[link].latency_s;
    route.bandwidth_Bps = std::min(route.bandwidth_Bps, links[link].bandwidth_Bps);
  }
  return route;
}

namespace {

// Hosts in the order of cyclic placement: one host of each group in turn; inside a group recursively in the same way,
// from `level` inwards. A host in no inner group counts as a group of its own.
std::vector<int> dealt(const Network& network, const std::vector<int>& hosts, std::size_t level) {
  std::vector<std::vector<int>> groups;
  std::map<std::string, std::size_t> group_of_zone;
  for (int host : hosts) {
    const Zones& zones = network.hosts[host].zones;
    if (zones.size() <= level) {
      groups.push_back({host});
      continue;
    }
    const auto [at, is_new] = group_of_zone.try_emplace(zones[level].name, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(host);
  }
  std::size_t longest = 0;
  for (std::vector<int>& group : groups) {
    if (group.size() > 1) group = dealt(network, group, level + 1);
    longest = std::max(longest, group.size());
  }
  std::vector<int> order;
  for (std::size_t round = 0; round < longest; ++round) {
    for (const std::vector<int>& group : groups) {
      if (round < group.size()) order.push_back(group[round]);
    }
  }
  return order;
}

}  // namespace

Placement place_ranks(const Network& network, PlacementRule rule, int ranks_per_host, int ranks) {
  if (ranks_per_host < 1) {
    throw BadInput(fmt::format("ranks per host: {} is too few; at least 1 would be right", ranks_per_host));
  }
  if (ranks < 0) throw BadInput(fmt::format("ranks: {} is too few; at least 1 would be right", ranks));
  std::vector<int> hosts;
  for (int host = 0; host < static_cast<int>(network.hosts.size()); ++host) {
    if (!network.hosts[host].gateway) hosts.push_back(host);
  }
  const std::int64_t fit = std::int64_t{ranks_per_host} * static_cast<std::int64_t>(hosts.size());
  if (fit > std::numeric_limits<int>::max()) {
    throw BadInput(fmt::format("ranks per host: {} on {} hosts makes {} ranks; at most {} are possible", ranks_per_host,
                               hosts.size(), fit, std::numeric_limits<int>::max()));
  }
  if (fit == 0)
    throw BadInput(
        fmt::format("{}: no host to run a rank; at least one that is no gateway would be right", network.name));
  if (ranks > fit) {
    throw BadInput(fmt::format("ranks: {} do not fit on the {} hosts of {} with {} a host; at most {} do", ranks,
                               hosts.size(), network.name, ranks_per_host, fit));
  }
  const int wanted = ranks == 0 ? static_cast<int>(fit) : ranks;
  // Measured: the topology and a replay of the smallest schedules.
  constexpr double bytes_of_rank = 600;
  require_memory(wanted * bytes_of_rank, fmt::format("{} ranks", wanted), "fewer would be right");
  if (rule == PlacementRule::cyclic) hosts = dealt(network, hosts, 0);
  Placement placement;
  placement.host_of_rank.reserve(wanted);
  for (int rank = 0; rank < wanted; ++rank) {
    const std::size_t turn = rule == PlacementRule::block ? rank / ranks_per_host : rank % hosts.size();
    placement.host_of_rank.push_back(hosts[turn]);
  }
  return placement;
}

namespace {

/// The hosts with ranks at each endpoint, ascending.
std::map<int, std::vector<int>> hosts_at_endpoints(const Network& network, const Placement& placement) {
  std::vector<char> has_ranks(network.hosts.size());
  for (const int host : placement.host_of_rank) has_ranks[host] = 1;
  std::map<int, std::vector<int>> hosts_at;
  for (int host = 0; host < static_cast<int>(network.hosts.size()); ++host)
    if (has_ranks[host] != 0) hosts_at[network.hosts[host].endpoint].push_back(host);
  return hosts_at;
}

struct UsedEndpoint {
  int number = 0, hosts = 0;
  bool is_together = false;  // its hosts reach each other
};

/// The endpoints of hosts with ranks, ascending, without their routes.
std::vector<UsedEndpoint> used_endpoints(const Network& network, const Placement& placement) {
  std::vector<char> has_ranks(network.hosts.size());
  for (const int host : placement.host_of_rank) has_ranks[host] = 1;
  std::vector<int> endpoints;
  for (std::size_t host = 0; host < has_ranks.size(); ++host)
    if (has_ranks[host] != 0) endpoints.push_back(network.hosts[host].endpoint);
  if (!std::ranges::is_sorted(endpoints)) std::ranges::sort(endpoints);
  std::vector<UsedEndpoint> used;
  for (const int endpoint : endpoints) {
    if (used.empty() || used.back().number != endpoint) used.push_back({.number = endpoint});
    ++used.back().hosts;
  }
  return used;
}

/// Whether all hosts with ranks have routes to each other.
bool all_reach_each_other(const Network& network, const Placement& placement) {
  std::vector<UsedEndpoint> used = used_endpoints(network, placement);
  std::size_t routes = 0;
  auto from = used.begin(), to = used.begin();
  for (const auto& [ends, trunk] : network.trunks) {  // by origin, then by destination
    for (; from != used.end() && from->number < ends.first; ++from) to = used.begin();
    if (from == used.end()) break;
    if (from->number != ends.first) continue;
    while (to != used.end() && to->number < ends.second) ++to;
    if (to == used.end() || to->number != ends.second) continue;
    if (from == to)
      from->is_together = true;
    else
      ++routes;
  }
  const bool alike =
      std::ranges::all_of(used, [](const UsedEndpoint& one) { return one.hosts == 1 || one.is_together; });
  return alike && routes == used.size() * (used.size() - 1);
}

}  // namespace

Connectivity connectivity_of(const Network& network, const Placement& placement) {
  if (all_reach_each_other(network, placement)) return {};
  // Ranks of one endpoint are alike if its hosts reach each other; otherwise those of one host.
  const std::map<int, std::vector<int>> hosts_at = hosts_at_endpoints(network, placement);
  const auto together = [&](int endpoint) {
    return hosts_at.at(endpoint).size() == 1 || network.trunks.contains({endpoint, endpoint});
  };
  std::map<int, int> unit_of_host;
  std::vector<int> host_of_unit;
  for (const auto& [endpoint, hosts] : hosts_at) {
    const bool one = together(endpoint);
    for (const int host : hosts) {
      if (!one || host == *hosts.begin()) host_of_unit.push_back(host);
      unit_of_host[host] = static_cast<int>(host_of_unit.size()) - 1;
    }
  }
  std::map<std::vector<char>, int> class_of_routes;  // out and in
  std::vector<int> class_of_unit, unit_of_class;
  for (const int host : host_of_unit) {
    std::vector<char> routes_of_unit;
    for (const int other : host_of_unit) routes_of_unit.push_back(network.has_route(host, other) ? 1 : 0);
    for (const int other : host_of_unit) routes_of_unit.push_back(network.has_route(other, host) ? 1 : 0);
    const auto [found, is_new] = class_of_routes.try_emplace(routes_of_unit, static_cast<int>(class_of_routes.size()));
    if (is_new) unit_of_class.push_back(host);
    class_of_unit.push_back(found->second);
  }
  std::vector<char> direct;
  for (const int from : unit_of_class)
    for (const int to : unit_of_class) direct.push_back(network.has_route(from, to) ? 1 : 0);
  std::vector<int> class_of_rank;
  for (const int host : placement.host_of_rank) class_of_rank.push_back(class_of_unit[unit_of_host.at(host)]);
  return {std::move(class_of_rank), std::move(direct)};
}

void check_ranks_reach_each_other(const Network& network, const Placement& placement,
                                  const Connectivity& connectivity) {
  if (connectivity.complete()) return;
  const auto [from, to] = connectivity.unreachable();
  if (from < 0) return;
  const Host& source = network.hosts[placement.host_of_rank[from]];
  const Host& target = network.hosts[placement.host_of_rank[to]];
  throw BadInput(fmt::format(
      "{}: host {} cannot be reached from host {}: there is no route, and no other hosts that could relay; a host with "
      "routes to both would be right",
      network.name, target.name, source.name));
}

Topology topology_of(const Network& network, const Placement& placement) {
  std::vector<int> ranks_on(network.hosts.size());
  for (int host : placement.host_of_rank) ++ranks_on[host];
  std::vector<std::vector<std::string>> paths;
  paths.reserve(placement.host_of_rank.size());
  for (int number : placement.host_of_rank) {
    const Host& host = network.hosts[number];
    std::vector<std::string>& path = paths.emplace_back();
    for (const ZoneStep& zone : host.zones) path.push_back(zone.name);
    if (ranks_on[number] > 1) path.push_back(host.name);
  }
  Connectivity connectivity = connectivity_of(network, placement);
  if (!connectivity.complete() && connectivity.unreachable().first >= 0)
    connectivity = connectivity_of(with_forwarded_routes(network, placement), placement);
  return Topology::from_paths(paths).with_connectivity(std::move(connectivity));
}

}  // namespace isthmus
