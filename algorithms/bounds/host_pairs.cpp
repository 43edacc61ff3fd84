#include "algorithms/bounds/host_pairs.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

namespace isthmus::bounds {
namespace {

constexpr int max_classes = 256;  // of which distances are computed
constexpr std::size_t max_candidates = 100'000, max_told_apart = 4096, max_pair_flows = 64;
constexpr int max_flows_over_time = 32;

struct Candidate {
  double distance_s, at_least_s, bytes;
  int from, to;  // classes
  int from_host, to_host;
};

/// Of each class the host with the lowest rank and the one with the highest, which scans need.
struct FirstAndLast {
  explicit FirstAndLast(const Demand& demand) {
    for (int number = 0; number < demand.graph().classes(); ++number) {
      const std::vector<int>& hosts = demand.hosts_of_class(number);
      first.push_back(*std::ranges::min_element(hosts, {}, [&](int host) { return demand.ranks_on(host).front(); }));
      last.push_back(*std::ranges::max_element(hosts, {}, [&](int host) { return demand.ranks_on(host).back(); }));
    }
  }
  std::vector<int> first, last;
};

/// The bytes that have to get from one to the other; negative if nothing has to.
double bytes_between_hosts(const Demand& demand, int from_host, int to_host) {
  const std::vector<int>&from = demand.ranks_on(from_host), &to = demand.ranks_on(to_host);
  const auto unless_zero = [](double bytes) { return bytes > 0 ? bytes : -1; };
  switch (demand.collective()) {
    case Collective::scan:
    case Collective::exscan:
      return from.front() < to.back() ? demand.vector_bytes() : -1;
    case Collective::allgather:
    case Collective::allgatherv:
      return unless_zero(demand.bytes_of(from));
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return unless_zero(demand.bytes_of(to));
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
      return unless_zero(demand.bytes_between(from, to));
    default:
      return demand.vector_bytes();
  }
}

/// A time in which the bytes could get there, along the route: no cut between the two is slower.
double along_route_s(const Demand& demand, const Candidate& candidate) {
  const Network& network = demand.network();
  if (!network.has_route(candidate.from_host, candidate.to_host)) return infinite;
  const RouteCost cost = route_cost(network, network.route(candidate.from_host, candidate.to_host).links);
  return cost.latency_s + candidate.bytes / cost.bandwidth_Bps;
}

/// `host`, which is of the class, unless it is `not_this`: then another of the class; -1 if there is none.
int other_than(const Demand& demand, int not_this, int host, int host_class) {
  if (host != not_this) return host;
  for (const int other : demand.hosts_of_class(host_class))
    if (other != not_this) return other;
  return -1;
}

void keep_most_promising(std::vector<Candidate>& candidates, std::size_t number) {
  if (candidates.size() <= number) return;
  std::ranges::nth_element(candidates, candidates.begin() + static_cast<std::ptrdiff_t>(number), std::greater<>(),
                           &Candidate::at_least_s);
  candidates.resize(number);
}

/// The routes of many pairs have one slowest link, and much the same cut. `candidates` are sorted; those that come
/// first and those that follow stay so.
void one_of_each_line_first(const Demand& demand, std::vector<Candidate>& candidates) {
  const Network& network = demand.network();
  std::set<int> lines;
  std::ranges::stable_partition(candidates, [&](const Candidate& candidate) {
    if (!network.has_route(candidate.from_host, candidate.to_host)) return true;
    return lines.insert(slowest_of(network, network.route(candidate.from_host, candidate.to_host).links)).second;
  });
}

void consider_most_promising(const Demand& demand, BestBound& best, std::vector<Candidate> candidates) {
  for (const Candidate& candidate : candidates)
    best.offer_distance(candidate.distance_s, candidate.from_host, candidate.to_host);
  keep_most_promising(candidates, max_told_apart);
  std::ranges::stable_sort(candidates, std::greater<>(), &Candidate::at_least_s);
  one_of_each_line_first(demand, candidates);
  if (candidates.size() > max_pair_flows) candidates.resize(max_pair_flows);
  const auto is_promising = [&](const Candidate& candidate) {
    return candidate.bytes > 0 && along_route_s(demand, candidate) > best.seconds();
  };
  for (const Candidate& candidate : candidates)
    if (is_promising(candidate))
      best.consider(one_of(demand, candidate.from), one_of(demand, candidate.to), candidate.bytes, candidate.from_host,
                    candidate.to_host);
  int flows = 0;
  for (const Candidate& candidate : candidates)
    if (is_promising(candidate) && ++flows <= max_flows_over_time)
      best.consider_flow(one_of(demand, candidate.from), one_of(demand, candidate.to), candidate.bytes,
                         candidate.from_host, candidate.to_host);
}

}  // namespace

void consider_root_and_hosts(const Demand& demand, BestBound& best) {
  const LinkGraph& graph = demand.graph();
  const int root_host = demand.host(demand.problem().root), root = graph.class_of(root_host);
  const bool to_root = demand.collective() == Collective::reduce;
  const double bytes = demand.vector_bytes();
  std::vector<Candidate> candidates;
  // One search gives all distances from the root. Distances to the root need one search a class.
  const std::vector<double> from_root_s = graph.distances_s(one_of(demand, root));
  for (int number = 0; number < graph.classes(); ++number) {
    if (number == root && graph.hosts_in(number) == 1) continue;
    if (to_root && std::ssize(candidates) >= max_classes) break;
    const double distance_s = to_root ? graph.distances_s(one_of(demand, number))[root] : from_root_s[number];
    const std::vector<int>& hosts = demand.hosts_of_class(number);
    const int host = hosts.front() == root_host ? hosts.back() : hosts.front();
    const double own_Bps = std::min((to_root ? graph.up(number) : graph.down(number)).bandwidth_Bps,
                                    (to_root ? graph.down(root) : graph.up(root)).bandwidth_Bps);
    candidates.push_back({distance_s, distance_s + bytes / own_Bps, bytes, to_root ? number : root,
                          to_root ? root : number, to_root ? host : root_host, to_root ? root_host : host});
  }
  consider_most_promising(demand, best, std::move(candidates));
}

void consider_host_pairs(const Demand& demand, BestBound& best) {
  const LinkGraph& graph = demand.graph();
  const FirstAndLast hosts(demand);
  std::vector<Candidate> candidates;
  for (int from = 0; from < std::min(graph.classes(), max_classes); ++from) {
    const std::vector<double> distance_s = graph.distances_s(one_of(demand, from));
    for (int to = 0; to < graph.classes(); ++to) {
      const int from_host = hosts.first[from], to_host = other_than(demand, from_host, hosts.last[to], to);
      if (to_host < 0) continue;
      const double bytes = bytes_between_hosts(demand, from_host, to_host);
      if (bytes < 0) continue;
      const double own_Bps = std::min(graph.up(from).bandwidth_Bps, graph.down(to).bandwidth_Bps);
      candidates.push_back({distance_s[to], distance_s[to] + bytes / own_Bps, bytes, from, to, from_host, to_host});
    }
    keep_most_promising(candidates, max_candidates);
  }
  consider_most_promising(demand, best, std::move(candidates));
}

}  // namespace isthmus::bounds
