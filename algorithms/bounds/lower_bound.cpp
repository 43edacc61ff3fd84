#include "algorithms/bounds/lower_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "algorithms/bounds/best_bound.hpp"
#include "algorithms/bounds/demand.hpp"
#include "algorithms/bounds/detours.hpp"
#include "algorithms/bounds/host_pairs.hpp"
#include "algorithms/bounds/host_sets.hpp"
#include "algorithms/bounds/partitions.hpp"
#include "algorithms/bounds/site_flows.hpp"
#include "algorithms/bounds/site_graph.hpp"
#include "algorithms/bounds/site_sets.hpp"
#include "algorithms/bounds/spreading.hpp"
#include "algorithms/bounds/sums.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/network/forwarded_routes.hpp"

namespace isthmus {
namespace {

using namespace bounds;

std::atomic<std::int64_t> worked_out = 0;

bool moves_nothing(const Problem& problem) {
  if (!carries_data(problem.collective)) return false;
  if (problem.counts.empty()) return problem.count == 0;
  return std::ranges::all_of(problem.counts, [](std::int64_t count) { return count == 0; });
}

/// In very large networks only from a sample of the hosts.
void check_reachable(const Demand& demand) {
  constexpr int max_sources = 64;
  const Collective collective = demand.collective();
  const bool from_root = collective == Collective::broadcast || is_scatter(collective);
  const LinkGraph& graph = demand.graph();
  for (int number = 0; number < std::min(graph.classes(), max_sources); ++number) {
    const int from = from_root ? demand.class_of_rank(demand.problem().root) : number;
    const std::vector<double> distance_s = graph.distances_s(one_of(demand, from));
    for (int other = 0; other < graph.classes(); ++other)
      if (!std::isfinite(distance_s[other]) && (other != from || graph.hosts_in(other) > 1))
        throw BadInput(fmt::format("{}: no way from host {} to every other host of the ranks", demand.network().name,
                                   demand.network().hosts[demand.hosts_of_class(from).front()].name));
    if (from_root) break;
  }
}

/// At least one vector of the collective crosses the loopback.
LowerBound on_one_host(const Demand& demand) {
  const Problem& problem = demand.problem();
  const Host& host = demand.network().hosts[demand.hosts().front()];
  const RouteCost loopback = route_cost(demand.network(), host.loopback);
  const bool has_vector = problem.counts.empty() && carries_data(problem.collective);
  const double bytes = has_vector ? demand.vector_bytes() : 0;
  LowerBound bound = {.seconds = loopback.latency_s + bytes / loopback.bandwidth_Bps,
                      .kind = BoundKind::loopback,
                      .bytes = bytes,
                      .from_host = demand.hosts().front(),
                      .to_host = demand.hosts().front()};
  if (!host.loopback.empty()) bound.links = {{host.loopback, loopback.bandwidth_Bps, loopback.latency_s, bytes}};
  return bound;
}

/// The links of a quickest way between the two hosts, which carry nothing that counts.
void add_way(const Demand& demand, LowerBound& bound) {
  for (const int number : demand.graph().quickest_way(bound.from_host, bound.to_host)) {
    const Link& link = demand.network().links[number];
    bound.links.push_back({{number}, link.bandwidth_Bps, link.latency_s, 0});
  }
}

void consider_all(const Demand& demand, BestBound& best) {
  const SiteGraph sites(demand);
  if (!has_parallel_routes(demand.network())) consider_spreading(demand, best);
  switch (demand.collective()) {
    case Collective::broadcast:
    case Collective::reduce:
      consider_root_and_hosts(demand, best);
      consider_partitions(demand, sites, demand.vector_bytes(), best);
      break;
    case Collective::barrier:
      consider_host_pairs(demand, best);
      break;
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      if (is_scan(demand.collective())) consider_site_sets(demand, sites, best);
      consider_partitions(demand, sites, demand.vector_bytes() * (is_scan(demand.collective()) ? 1 : 2), best);
      consider_host_pairs(demand, best);
      if (!is_scan(demand.collective())) consider_sums(demand, sites, best);
      break;
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
      consider_site_sets(demand, sites, best);
      consider_groups_and_root(demand, best);
      consider_site_flows(demand, sites, best);
      break;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      consider_site_sets(demand, sites, best);
      consider_partitions(demand, sites, demand.bytes_of_all(), best);
      consider_groups_and_others(demand, best);
      consider_site_flows(demand, sites, best);
      consider_host_pairs(demand, best);
      break;
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      consider_detours(demand, sites, best);
      consider_site_sets(demand, sites, best);
      consider_groups_and_others(demand, best);
      consider_site_flows(demand, sites, best);
      consider_pairs_of_groups(demand, best);
      consider_host_pairs(demand, best);
      break;
  }
}

}  // namespace

std::string_view name(BoundKind kind) {
  constexpr std::string_view names[] = {"nothing",   "loopback", "distance", "cut",      "partition",
                                        "spreading", "detours",  "sums",     "unlimited"};
  static_assert(std::size(names) == static_cast<std::size_t>(BoundKind::unlimited) + 1);
  return names[static_cast<std::size_t>(kind)];
}

LowerBound find_lower_bound(const PlacedNetwork& placed, const Problem& problem) {
  check_problem(problem, placed.size());
  if (placed.size() <= 1 || moves_nothing(problem)) return {};
  ++worked_out;
  const Demand demand(placed, problem);
  if (demand.hosts().size() == 1) return on_one_host(demand);
  check_reachable(demand);
  BestBound best(demand);
  consider_all(demand, best);
  LowerBound bound = best.best();
  if (bound.kind == BoundKind::nothing) bound.kind = BoundKind::unlimited;
  if (bound.kind == BoundKind::distance) add_way(demand, bound);
  return bound;
}

double lower_bound(const PlacedNetwork& placed, const Problem& problem) {
  return find_lower_bound(placed, problem).seconds;
}

std::int64_t bounds_worked_out() { return worked_out; }

}  // namespace isthmus
