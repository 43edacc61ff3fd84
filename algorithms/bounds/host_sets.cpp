#include "algorithms/bounds/host_sets.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace isthmus::bounds {
namespace {

constexpr std::size_t max_parts = 64;

/// Outermost groups first, then inner groups, then one host of each class.
std::vector<Part> parts(const Demand& demand) {
  const Topology& topology = demand.placed().topology();
  std::vector<int> groups;
  for (std::size_t number = 1; number < topology.groups().size(); ++number) groups.push_back(static_cast<int>(number));
  std::ranges::stable_sort(groups, {}, [&](int number) { return topology.group(number).level; });
  std::vector<Part> parts;
  for (const int number : groups) {
    if (parts.size() >= max_parts) break;
    if (std::ssize(topology.group(number).ranks) == demand.size()) continue;
    if (auto part = part_of(demand, topology.group(number).ranks)) parts.push_back(*std::move(part));
  }
  const std::size_t limit = parts.size() + max_parts;
  for (int number = 0; number < demand.graph().classes() && parts.size() < limit; ++number)
    parts.push_back(*part_of(demand, demand.ranks_on(demand.hosts_of_class(number).front())));
  return parts;
}

/// A time in which the blocks could get from one part to another along the route, if all hosts of each are alike: no
/// cut between them is slower.
double along_route_s(const Demand& demand, const Part& sources, const Part& targets) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const LinkGraph& graph = demand.graph();
  const int from = demand.host(sources.ranks.front()), to = demand.host(targets.ranks.front());
  const int from_class = graph.class_of(from), to_class = graph.class_of(to);
  const bool alike = std::ranges::count_if(sources.hosts, [](int hosts) { return hosts > 0; }) == 1 &&
                     std::ranges::count_if(targets.hosts, [](int hosts) { return hosts > 0; }) == 1;
  const Network& network = demand.network();
  if (!alike || !network.has_route(from, to)) return unknown;
  const auto trunk = network.trunks.find({network.hosts[from].endpoint, network.hosts[to].endpoint});
  if (trunk == network.trunks.end()) return unknown;
  const RouteCost between = route_cost(network, trunk->second.links), up = graph.up(from_class),
                  down = graph.down(to_class);
  return up.latency_s + between.latency_s + down.latency_s +
         demand.bytes_between(sources.ranks, targets.ranks) /
             std::min({between.bandwidth_Bps, up.bandwidth_Bps * sources.hosts[from_class],
                       down.bandwidth_Bps * targets.hosts[to_class]});
}

}  // namespace

void consider_groups_and_root(const Demand& demand, BestBound& best) {
  const bool to_root = is_gather(demand.collective());
  const int root_rank = demand.problem().root, root_host = demand.host(root_rank);
  const LinkGraph::Hosts root = one_of(demand, demand.graph().class_of(root_host));
  const LinkGraph::Hosts everybody = demand.graph().everybody();
  const auto consider = [&](const LinkGraph::Hosts& hosts, double bytes) {
    if (to_root)
      best.consider(hosts, root, bytes, -1, root_host);
    else
      best.consider(root, hosts, bytes, root_host);
  };
  // The blocks of all other hosts cross the root's own links once.
  consider(without(everybody, root), demand.bytes_of(all_but(demand, demand.ranks_on(root_host))));
  for (const Part& part : parts(demand)) {
    // The part itself if the root is outside, else everything outside it.
    const bool has_root = std::ranges::binary_search(part.ranks, root_rank);
    consider(has_root ? without(everybody, part.hosts) : part.hosts,
             demand.bytes_of(has_root ? all_but(demand, part.ranks) : part.ranks));
  }
}

void consider_groups_and_others(const Demand& demand, BestBound& best) {
  for (const Part& part : parts(demand)) {
    const std::vector<int> outside = all_but(demand, part.ranks);
    const LinkGraph::Hosts rest = without(demand.graph().everybody(), part.hosts);
    if (is_alltoall(demand.collective())) {
      best.consider(part.hosts, rest, demand.bytes_between(part.ranks, outside));
      best.consider(rest, part.hosts, demand.bytes_between(outside, part.ranks));
      continue;
    }
    const double all_others = demand.bytes_of(outside), own = demand.bytes_of(part.ranks);
    best.consider(rest, part.hosts, is_allgather(demand.collective()) ? all_others : own);
    best.consider(part.hosts, rest, is_allgather(demand.collective()) ? own : all_others);
  }
}

void consider_pairs_of_groups(const Demand& demand, BestBound& best) {
  const Topology& topology = demand.placed().topology();
  const std::vector<int>& sites = topology.group(0).children;
  if (sites.size() * sites.size() > 4 * max_parts) return;
  for (const int from : sites)
    for (const int to : sites) {
      if (from == to) continue;
      const auto sources = part_of(demand, topology.group(from).ranks),
                 targets = part_of(demand, topology.group(to).ranks);
      if (sources && targets && along_route_s(demand, *sources, *targets) > best.seconds())
        best.consider(sources->hosts, targets->hosts, demand.bytes_between(sources->ranks, targets->ranks));
    }
}

}  // namespace isthmus::bounds
