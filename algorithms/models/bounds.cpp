#include "algorithms/models/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/network/link_graph.hpp"

namespace isthmus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t max_edges = 20'000'000;  // visited in all flows together
constexpr std::size_t max_parts = 64;

std::atomic<std::int64_t> worked_out = 0;

bool is_scan(Collective collective) { return collective == Collective::scan || collective == Collective::exscan; }

class Bound {
 public:
  Bound(const PlacedNetwork& placed, const Problem& problem)
      : network_(placed.network()),
        placement_(placed.placement()),
        problem_(problem),
        topology_(placed.topology()),
        graph_(placed),
        size_(placed.size()) {
    hosts_used_ = std::set<int>(placement_.host_of_rank.begin(), placement_.host_of_rank.end()).size();
  }

  double seconds() {
    if (hosts_used_ == 1) return on_one_host_s();
    check_reachable();
    switch (problem_.collective) {
      case Collective::broadcast:
      case Collective::reduce:
        consider_vectors_at_root();
        consider_crossings(vector_bytes(), 1);
        break;
      case Collective::barrier:
        consider_pairs();
        break;
      case Collective::allreduce:
        consider_pairs();
        consider_crossings(vector_bytes(), 2);
        break;
      case Collective::scan:
      case Collective::exscan:
        consider_pairs();
        consider_crossings(vector_bytes(), 1);
        break;
      case Collective::gather:
      case Collective::gatherv:
      case Collective::scatter:
      case Collective::scatterv:
        consider_parts_and_root();
        break;
      case Collective::allgather:
      case Collective::allgatherv:
      case Collective::reduce_scatter:
      case Collective::reduce_scatter_block:
        consider_parts_and_rest();
        consider_crossings(bytes_of(everybody()), 1);
        break;
      case Collective::alltoall:
      case Collective::alltoallv:
      case Collective::alltoallw:
        consider_parts_and_rest();
        consider_pairs_of_groups();
        break;
    }
    return bound_s_;
  }

 private:
  using Hosts = LinkGraph::Hosts;

  /// A set of ranks that contains all ranks of each of its hosts.
  struct Part {
    std::vector<int> ranks;  // ascending
    Hosts hosts;
  };

  double vector_bytes() const { return static_cast<double>(problem_.bytes()); }
  double block_bytes(int rank) const {
    return static_cast<double>(block_count(problem_, rank)) * static_cast<double>(problem_.element_bytes);
  }
  double block_bytes(int from, int to) const {
    return static_cast<double>(block_count(problem_, size_, from, to)) * static_cast<double>(problem_.element_bytes);
  }
  double bytes_of(std::span<const int> ranks) const {
    double bytes = 0;
    for (const int rank : ranks) bytes += block_bytes(rank);
    return bytes;
  }
  double bytes_between(std::span<const int> from, std::span<const int> to) const {
    if (problem_.counts.empty())
      return static_cast<double>(from.size()) * static_cast<double>(to.size()) * vector_bytes();
    double bytes = 0;
    for (const int source : from)
      for (const int target : to) bytes += block_bytes(source, target);
    return bytes;
  }

  int host(int rank) const { return placement_.host_of_rank[rank]; }
  int class_of_rank(int rank) const { return graph_.class_of(host(rank)); }

  std::vector<int> everybody() const {
    std::vector<int> ranks(size_);
    for (int rank = 0; rank < size_; ++rank) ranks[rank] = rank;
    return ranks;
  }

  /// In very large networks only from a sample of the hosts.
  void check_reachable() const {
    const bool from_root = problem_.collective == Collective::broadcast || problem_.collective == Collective::scatter ||
                           problem_.collective == Collective::scatterv;
    const int root_class = class_of_rank(problem_.root);
    for (int number = 0; number < std::min<int>(graph_.classes(), max_parts); ++number) {
      const int from = from_root ? root_class : number;
      const std::vector<double> distance_s = graph_.distances_s(one_of(from));
      for (int other = 0; other < graph_.classes(); ++other)
        if (!std::isfinite(distance_s[other]) && (other != from || graph_.hosts_in(other) > 1))
          throw BadInput(fmt::format("{}: no way from host {} to every other host of the ranks", network_.name,
                                     network_.hosts[host_of_class(from)].name));
      if (from_root) break;
    }
  }

  int host_of_class(int number) const {
    return *std::find_if(placement_.host_of_rank.begin(), placement_.host_of_rank.end(),
                         [&](int host) { return graph_.class_of(host) == number; });
  }

  double on_one_host_s() const {
    const RouteCost loopback = route_cost(network_, network_.hosts[host(0)].loopback);
    double bytes = vector_bytes();  // at least one vector of the collective is moved
    if (!problem_.counts.empty() || problem_.collective == Collective::barrier) bytes = 0;
    return loopback.latency_s + bytes / loopback.bandwidth_Bps;
  }

  void consider(const Hosts& sources, const Hosts& targets, double bytes, double distance_s) {
    if (edges_ > max_edges) return;
    edges_ += graph_.edges() + sources.size();
    bound_s_ = std::max(bound_s_, distance_s + bytes / graph_.flow_Bps(sources, targets));
  }

  void consider(const Hosts& sources, const Hosts& targets, double bytes) {
    if (bytes <= 0) return;
    const std::vector<double> from_sources_s = graph_.distances_s(sources);
    double distance_s = infinite;
    for (std::size_t i = 0; i < targets.size(); ++i)
      if (targets[i] > 0) distance_s = std::min(distance_s, from_sources_s[i]);
    consider(sources, targets, bytes, distance_s);
  }

  Hosts one_of(int number) const {
    Hosts hosts = graph_.nobody();
    hosts[number] = 1;
    return hosts;
  }

  static Hosts without(Hosts all, const Hosts& some) {
    for (std::size_t i = 0; i < all.size(); ++i) all[i] -= some[i];
    return all;
  }

  /// Bounds between the root and one host of each class: the most promising classes first, until the flows become too
  /// expensive.
  void consider_vectors_at_root() {
    const int root_class = class_of_rank(problem_.root);
    const bool to_root = problem_.collective == Collective::reduce;
    struct Candidate {
      double distance_s, at_least_s;
      int number;
    };
    std::vector<Candidate> candidates;
    // One search gives all distances from the root. Distances to the root need one search per class, so that their
    // number is limited.
    const std::vector<double> from_root_s = graph_.distances_s(one_of(root_class));
    for (int number = 0; number < graph_.classes(); ++number) {
      if (number == root_class && graph_.hosts_in(number) == 1) continue;
      if (to_root && candidates.size() > max_parts) break;
      const double distance_s = to_root ? graph_.distances_s(one_of(number))[root_class] : from_root_s[number];
      const double bandwidth_Bps = (to_root ? graph_.up(number) : graph_.down(number)).bandwidth_Bps;
      candidates.push_back({distance_s, distance_s + vector_bytes() / bandwidth_Bps, number});
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.at_least_s > b.at_least_s; });
    for (const Candidate& candidate : candidates) {
      bound_s_ = std::max(bound_s_, candidate.at_least_s);
      const Hosts root = one_of(root_class), other = one_of(candidate.number);
      if (to_root)
        consider(other, root, vector_bytes(), candidate.distance_s);
      else
        consider(root, other, vector_bytes(), candidate.distance_s);
    }
  }

  /// Bounds between two hosts, for all pairs of classes: distances for all pairs, flows for the most promising.
  void consider_pairs() {
    struct Candidate {
      double distance_s, at_least_s;
      int from, to;
    };
    std::vector<int> first_rank(graph_.classes(), size_), last_rank(graph_.classes(), -1);
    for (int rank = 0; rank < size_; ++rank) {
      const int number = class_of_rank(rank);
      first_rank[number] = std::min(first_rank[number], rank);
      last_rank[number] = std::max(last_rank[number], rank);
    }
    const double bytes = vector_bytes();
    std::vector<Candidate> candidates;
    for (int from = 0; from < std::min<int>(graph_.classes(), 4 * max_parts); ++from) {
      const std::vector<double> distance_s = graph_.distances_s(one_of(from));
      for (int to = 0; to < graph_.classes(); ++to) {
        if (from == to && graph_.hosts_in(to) == 1) continue;
        if (is_scan(problem_.collective) && (from == to ? !has_later_host(from) : first_rank[from] >= last_rank[to]))
          continue;
        const double at_least_s =
            distance_s[to] + bytes / std::min(graph_.up(from).bandwidth_Bps, graph_.down(to).bandwidth_Bps);
        candidates.push_back({distance_s[to], at_least_s, from, to});
      }
    }
    const std::size_t looked_at = std::min<std::size_t>(candidates.size(), 4 * max_parts);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(looked_at), candidates.end(),
                      [](const Candidate& a, const Candidate& b) { return a.at_least_s > b.at_least_s; });
    for (std::size_t i = 0; i < looked_at; ++i) {
      const Candidate& candidate = candidates[i];
      bound_s_ = std::max(bound_s_, candidate.at_least_s);
      if (bytes > 0) consider(one_of(candidate.from), one_of(candidate.to), bytes, candidate.distance_s);
    }
  }

  /// Whether a class has a host with a lower rank than another of its hosts: always if it has two hosts.
  bool has_later_host(int number) const { return graph_.hosts_in(number) > 1; }

  std::optional<Part> part_of(std::span<const int> ranks) const {
    Part part{{ranks.begin(), ranks.end()}, graph_.nobody()};
    std::set<int> hosts;
    for (const int rank : ranks) hosts.insert(host(rank));
    std::size_t ranks_there = 0;
    for (const int host : hosts) {
      ++part.hosts[graph_.class_of(host)];
      ranks_there += static_cast<std::size_t>(ranks_on_[host]);
    }
    if (ranks_there != ranks.size()) return std::nullopt;  // a host of the part has ranks outside it
    return part;
  }

  /// Outermost groups first, then inner groups, then one host of each class (and the root's host).
  std::vector<Part> parts() {
    ranks_on_.assign(network_.hosts.size(), 0);
    for (const int host : placement_.host_of_rank) ++ranks_on_[host];
    std::vector<Part> parts;
    std::vector<int> groups;
    for (std::size_t number = 1; number < topology_.groups().size(); ++number)
      groups.push_back(static_cast<int>(number));
    std::stable_sort(groups.begin(), groups.end(),
                     [&](int a, int b) { return topology_.group(a).level < topology_.group(b).level; });
    for (const int number : groups) {
      if (parts.size() >= max_parts) break;
      if (std::ssize(topology_.group(number).ranks) == size_) continue;
      if (auto part = part_of(topology_.group(number).ranks)) parts.push_back(*std::move(part));
    }
    std::map<int, std::vector<int>> ranks_of_host;
    for (int rank = 0; rank < size_; ++rank) ranks_of_host[host(rank)].push_back(rank);
    std::set<int> seen;
    const std::size_t limit = parts.size() + max_parts;
    for (const auto& [host, ranks] : ranks_of_host) {
      if (parts.size() >= limit) break;
      if (seen.insert(graph_.class_of(host)).second) parts.push_back(*part_of(ranks));
    }
    return parts;
  }

  std::vector<int> all_but(std::span<const int> ranks) const {
    std::vector<int> others;
    std::size_t next = 0;
    for (int rank = 0; rank < size_; ++rank) {
      if (next < ranks.size() && ranks[next] == rank)
        ++next;
      else
        others.push_back(rank);
    }
    return others;
  }

  void consider_parts_and_root() {
    const bool to_root = problem_.collective == Collective::gather || problem_.collective == Collective::gatherv;
    const Hosts root = one_of(class_of_rank(problem_.root));
    for (const Part& part : parts()) {
      // The part itself if the root is outside, else everything outside it.
      const bool has_root = std::binary_search(part.ranks.begin(), part.ranks.end(), problem_.root);
      const Hosts hosts = has_root ? without(graph_.everybody(), part.hosts) : part.hosts;
      const double bytes = bytes_of(has_root ? all_but(part.ranks) : part.ranks);
      if (to_root)
        consider(hosts, root, bytes);
      else
        consider(root, hosts, bytes);
    }
    // The blocks of all other ranks pass the root's own links once.
    std::vector<int> with_root;
    for (int rank = 0; rank < size_; ++rank)
      if (host(rank) == host(problem_.root)) with_root.push_back(rank);
    const Hosts others = without(graph_.everybody(), root);
    const double bytes = bytes_of(all_but(with_root));
    if (to_root)
      consider(others, root, bytes);
    else
      consider(root, others, bytes);
  }

  void consider_parts_and_rest() {
    for (const Part& part : parts()) {
      const std::vector<int> outside = all_but(part.ranks);
      const Hosts rest = without(graph_.everybody(), part.hosts);
      if (is_alltoall(problem_.collective)) {
        consider(part.hosts, rest, bytes_between(part.ranks, outside));
        consider(rest, part.hosts, bytes_between(outside, part.ranks));
        continue;
      }
      // Reduce_scatter is the reverse of allgather.
      const bool gathers =
          problem_.collective == Collective::allgather || problem_.collective == Collective::allgatherv;
      const double all_others = bytes_of(outside), own = bytes_of(part.ranks);
      consider(rest, part.hosts, gathers ? all_others : own);
      consider(part.hosts, rest, gathers ? own : all_others);
    }
  }

  void consider_pairs_of_groups() {
    const std::vector<int>& sites = topology_.group(0).children;
    if (sites.size() * sites.size() > 4 * max_parts) return;
    for (const int from : sites)
      for (const int to : sites) {
        if (from == to) continue;
        const auto sources = part_of(topology_.group(from).ranks), targets = part_of(topology_.group(to).ranks);
        if (sources && targets) consider(sources->hosts, targets->hosts, bytes_between(sources->ranks, targets->ranks));
      }
  }

  /// `bytes` cross from part to part (k - 1) times `rounds`, over the tightest links between the parts.
  void consider_crossings(double bytes, int rounds) {
    if (bytes <= 0) return;
    consider_crossings_of_groups(bytes * rounds);
    consider_crossings_of_hosts(bytes * rounds);
  }

  void consider_crossings_of_groups(double bytes) {
    const std::vector<int>& sites = topology_.group(0).children;
    if (sites.empty()) return;
    std::vector<int> site_of_rank(size_, -1);
    int parts = 0;
    for (const int site : sites) {
      for (const int rank : topology_.group(site).ranks) site_of_rank[rank] = parts;
      ++parts;
    }
    for (int& site : site_of_rank)
      if (site < 0) site = parts++;
    std::set<std::pair<int, int>> ends;  // (endpoint, site)
    for (int rank = 0; rank < size_; ++rank) ends.emplace(network_.hosts[host(rank)].endpoint, site_of_rank[rank]);
    if (ends.size() > 512) return;
    std::set<int> tightest;
    for (const auto& [from, from_site] : ends)
      for (const auto& [to, to_site] : ends) {
        if (from_site == to_site) continue;
        const auto trunk = network_.trunks.find({from, to});
        if (trunk == network_.trunks.end()) continue;
        const int link = tightest_of(trunk->second.links);
        if (link < 0) return;
        tightest.insert(link);
      }
    consider_load(bytes * (parts - 1), tightest);
  }

  void consider_crossings_of_hosts(double bytes) {
    std::set<int> tightest;
    for (const int number : placement_.host_of_rank) {
      const int link = tightest_of(network_.hosts[number].up);
      if (link < 0) return;
      tightest.insert(link);
    }
    consider_load(bytes * static_cast<double>(hosts_used_ - 1), tightest);
  }

  int tightest_of(const std::vector<int>& links) const {
    int tightest = -1;
    for (const int link : links)
      if (network_.links[link].sharing == Sharing::shared &&
          (tightest < 0 || network_.links[link].bandwidth_Bps < network_.links[tightest].bandwidth_Bps))
        tightest = link;
    return tightest;
  }

  /// The least T with sum over the links of B (T - l) >= bytes, where T is not below l.
  void consider_load(double bytes, const std::set<int>& links) {
    std::vector<const Link*> nearest;
    nearest.reserve(links.size());
    for (const int number : links) nearest.push_back(&network_.links[number]);
    std::sort(nearest.begin(), nearest.end(), [](const Link* a, const Link* b) { return a->latency_s < b->latency_s; });
    double bandwidth_Bps = 0, on_the_way = 0, seconds = infinite;
    for (const Link* link : nearest) {
      if (link->latency_s >= seconds) break;
      bandwidth_Bps += link->bandwidth_Bps;
      on_the_way += link->bandwidth_Bps * link->latency_s;
      seconds = (bytes + on_the_way) / bandwidth_Bps;
    }
    if (std::isfinite(seconds)) bound_s_ = std::max(bound_s_, seconds);
  }

  const Network& network_;
  const Placement& placement_;
  const Problem& problem_;
  const Topology& topology_;
  LinkGraph graph_;
  int size_;
  std::size_t hosts_used_ = 0;
  std::vector<int> ranks_on_;  // by host
  std::size_t edges_ = 0;
  double bound_s_ = 0;
};

bool moves_nothing(const Problem& problem) {
  if (problem.collective == Collective::barrier) return false;
  if (problem.counts.empty()) return problem.count == 0;
  return std::all_of(problem.counts.begin(), problem.counts.end(), [](std::int64_t count) { return count == 0; });
}

}  // namespace

double lower_bound(const PlacedNetwork& placed, const Problem& problem) {
  check_problem(problem, placed.size());
  if (placed.size() <= 1 || moves_nothing(problem)) return 0;
  ++worked_out;
  return Bound(placed, problem).seconds();
}

std::int64_t bounds_worked_out() { return worked_out; }

}  // namespace isthmus
