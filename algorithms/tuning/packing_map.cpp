#include "algorithms/tuning/packing_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "algorithms/schedule/census.hpp"
#include "algorithms/synthesis/due_times.hpp"

namespace isthmus {
namespace {

struct NamedSites {
  std::vector<std::string> names;
  std::vector<int> of_rank;
};

/// The outermost groups, `merged` levels as one, and the ranks in none, in the order of their lowest ranks.
NamedSites named_sites(const Topology& unmerged, int merged) {
  const Topology topology = merged > 1 ? unmerged.with_merged(merged) : unmerged;
  std::map<int, const Group*> first;  // by lowest rank; null for a rank alone
  for (int rank = 0; rank < topology.size(); ++rank) first[rank] = nullptr;
  for (const int child : topology.group(0).children) {
    const Group& group = topology.group(child);
    for (const int rank : group.ranks) first.erase(rank);
    first[group.ranks.front()] = &group;
  }
  NamedSites sites;
  sites.of_rank.resize(topology.size());
  for (const auto& [rank, group] : first) {
    const int number = static_cast<int>(sites.names.size());
    // with_merged() names groups by numbers.
    sites.names.push_back(group == nullptr ? fmt::format("rank {}", rank)
                          : merged > 1     ? unmerged.group(unmerged.group_at(rank, merged)).name
                                           : group->name);
    sites.of_rank[rank] = number;
    if (group == nullptr) continue;
    for (const int member : group->ranks) sites.of_rank[member] = number;
  }
  return sites;
}

/// Sites of a path are all different; in a list of parents the root stands for itself and for its child.
bool is_path(const std::vector<int>& sites) { return std::set<int>(sites.begin(), sites.end()).size() == sites.size(); }

WayKind kind_of(const Way& way, Collective collective) {
  if (!way.back.empty()) return WayKind::trees_both;
  if (is_path(way.sites)) return WayKind::paths;
  return has_operator(collective) && collective != Collective::allreduce ? WayKind::trees_in : WayKind::trees_out;
}

void find_ways(const Packing& packing, Collective collective, PackingMap& map) {
  if (packing.empty()) return;
  map.kind = kind_of(packing.ways.front(), collective);
  std::map<std::pair<int, int>, double> sums;
  for (const Way& way : packing.ways) {
    MappedWay& mapped = map.ways.emplace_back();
    mapped.way = way;
    mapped.from = map.kind == WayKind::paths ? way.sites.front() : root_of(way.sites);
    mapped.to = map.kind == WayKind::paths ? way.sites.back() : -1;
  }
  // All trees of an allreduce serve the same data.
  const auto ends = [&](const MappedWay& of) {
    return map.kind == WayKind::trees_both ? std::pair(-1, -1) : std::pair(of.from, of.to);
  };
  for (const MappedWay& of : map.ways) sums[ends(of)] += static_cast<double>(of.way.share);
  for (MappedWay& of : map.ways) of.share = static_cast<double>(of.way.share) / sums.at(ends(of));
  std::ranges::stable_sort(map.ways, {}, [&](const MappedWay& of) { return std::tuple(ends(of), -of.way.share); });
}

void find_loads(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes,
                const std::vector<int>& site_of, PackingMap& map) {
  const Network& network = placed.network();
  std::vector<char> inside(network.links.size());
  for (const Host& host : network.hosts)
    for (const LinkList* own : {&host.up, &host.down, &host.loopback})
      for (const int link : *own) inside[link] = 1;

  std::map<std::pair<int, int>, std::vector<int>> links_of;  // by hosts
  std::map<std::pair<int, int>, MappedRoute> routes;
  for (const PairCensus& pair : census(placed.size(), programs, element_bytes).pairs) {
    const int from = site_of[pair.source], to = site_of[pair.destination];
    const std::pair hosts{placed.host_of(pair.source), placed.host_of(pair.destination)};
    const auto [known, is_new] = links_of.try_emplace(hosts);
    if (is_new) known->second = network.route(hosts.first, hosts.second).links;
    const std::vector<int>& links = known->second;
    if (from == to) {
      for (const int link : links) inside[link] = 1;
      continue;
    }
    MappedRoute& route = routes[{from, to}];
    route.from = from;
    route.to = to;
    route.bytes += static_cast<double>(pair.traffic.bytes);
    route.links.insert(route.links.end(), links.begin(), links.end());
  }
  for (auto& [sites, route] : routes) {
    std::ranges::sort(route.links);
    route.links.erase(std::unique(route.links.begin(), route.links.end()), route.links.end());
    map.routes.push_back(std::move(route));
  }
  for (const LinkLoad& load : link_loads(placed, programs, element_bytes))
    map.links.push_back({load, inside[load.link] != 0});
  std::ranges::stable_sort(map.links, {}, [](const MappedLink& of) { return -of.seconds; });
}

}  // namespace

double PackingMap::busy_s(int link) const {
  const auto found = std::ranges::find(links, link, &MappedLink::link);
  return found == links.end() ? 0 : found->seconds;
}

PackingMap packing_map(const PlacedNetwork& placed, const Problem& problem, const Plan& plan) {
  NamedSites sites = named_sites(placed.topology(), plan.parameters.merged);
  PackingMap map;
  map.sites = std::move(sites.names);
  find_ways(plan.parameters.packing, problem.collective, map);
  find_loads(placed, source(plan, placed.topology(), problem), problem.element_bytes, sites.of_rank, map);
  return map;
}

}  // namespace isthmus
