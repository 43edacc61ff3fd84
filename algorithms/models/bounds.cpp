#include "algorithms/models/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Links that a message takes one after the other.
struct Pipe {
  double bandwidth_Bps = infinite;  // the least of the shared ones
  double latency_s = 0;

  auto operator<=>(const Pipe&) const = default;
};

Pipe pipe_of(const Network& network, const std::vector<int>& links) {
  Pipe pipe;
  for (int number : links) {
    const Link& link = network.links[number];
    pipe.latency_s += link.latency_s;
    if (link.sharing == Sharing::shared) pipe.bandwidth_Bps = std::min(pipe.bandwidth_Bps, link.bandwidth_Bps);
  }
  return pipe;
}

// Hosts of one endpoint whose own links are equal.
struct HostClass {
  int endpoint;
  Pipe up, down;

  auto operator<=>(const HostClass&) const = default;
};

// The graph of the docstring, with the hosts of a class taken together: nodes are, for every endpoint, where its hosts'
// ways begin and where they end; for every link of a trunk, its entry and its exit; and for every class of hosts, one.
class LinkGraph {
 public:
  LinkGraph(const Network& network, const Placement& placement, int root_host) : network_(network) {
    std::vector<bool> seen(network.hosts.size(), false);
    for (int number : placement.host_of_rank) {
      if (seen[number]) continue;
      seen[number] = true;
      const HostClass kind = class_of(network.hosts[number]);
      add_endpoint(kind.endpoint);
      if (number == root_host) {
        root_ = kind;
      } else {
        ++classes_[kind];
      }
    }
    source_ = nodes_++;
    join(source_, way_out_.at(root_.endpoint), root_.up);
    for (const auto& [ends, trunk] : network.trunks) {
      if (way_out_.contains(ends.first) && way_in_.contains(ends.second)) add_trunk(ends.first, ends.second, trunk);
    }
    for (const auto& [kind, hosts] : classes_) {
      const int node = nodes_++;
      class_edges_[kind] = edges_.size();
      join(way_in_.at(kind.endpoint), node, times(kind.down, hosts));
      join(node, way_out_.at(kind.endpoint), times(kind.up, hosts));
    }
    target_ = nodes_++;
    find_distances();
    find_scale();
  }

  const std::map<HostClass, int>& classes() const { return classes_; }
  std::size_t edges() const { return edges_.size(); }

  /// D(t) for a host of the class; infinity when nothing reaches it.
  double distance_s(const HostClass& kind) const {
    return distance_s_[way_in_.at(kind.endpoint)] + kind.down.latency_s;
  }

  /// C(t) for a host of the class; infinity without a shared link on some way.
  double flow_Bps(const HostClass& kind) {
    // The host itself is the target; the others of its class go on relaying.
    const int others = classes_.at(kind) - 1;
    const std::size_t at = class_edges_.at(kind);
    const Edge down = edges_[at], up = edges_[at + 1];
    edges_[at].bandwidth_Bps = others == 0 ? 0 : times(kind.down, others).bandwidth_Bps;
    edges_[at + 1].bandwidth_Bps = others == 0 ? 0 : times(kind.up, others).bandwidth_Bps;
    join(way_in_.at(kind.endpoint), target_, kind.down);
    const double flow_Bps = max_flow();
    edges_.pop_back();
    edges_[at] = down;
    edges_[at + 1] = up;
    return flow_Bps;
  }

 private:
  struct Edge {
    int from, to;
    double bandwidth_Bps, latency_s;
  };

  static Pipe times(const Pipe& pipe, int hosts) { return {pipe.bandwidth_Bps * hosts, pipe.latency_s}; }

  HostClass class_of(const Host& host) const {
    return {host.endpoint, pipe_of(network_, host.up), pipe_of(network_, host.down)};
  }

  void add_endpoint(int endpoint) {
    if (way_out_.contains(endpoint)) return;
    way_out_[endpoint] = nodes_++;
    way_in_[endpoint] = nodes_++;
  }

  void join(int from, int to, const Pipe& pipe) { edges_.push_back({from, to, pipe.bandwidth_Bps, pipe.latency_s}); }

  void add_trunk(int from_endpoint, int to_endpoint, const Trunk& trunk) {
    int at = way_out_.at(from_endpoint);
    for (int link : trunk.links) {
      const auto [entry, is_new] = entry_of_link_.try_emplace(link, nodes_);
      if (is_new) {
        nodes_ += 2;
        join(entry->second, entry->second + 1, pipe_of(network_, {link}));
      }
      join(at, entry->second, {});
      at = entry->second + 1;
    }
    join(at, way_in_.at(to_endpoint), {});
  }

  // Dijkstra over the latencies.
  void find_distances() {
    std::vector<std::vector<const Edge*>> leaving(nodes_);
    for (const Edge& edge : edges_) leaving[edge.from].push_back(&edge);
    distance_s_.assign(nodes_, infinite);
    using Reached = std::pair<double, int>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    next.emplace(distance_s_[source_] = 0, source_);
    while (!next.empty()) {
      const auto [distance_s, node] = next.top();
      next.pop();
      if (distance_s > distance_s_[node]) continue;
      for (const Edge* edge : leaving[node]) {
        const double further_s = distance_s + edge->latency_s;
        if (further_s < distance_s_[edge->to]) next.emplace(distance_s_[edge->to] = further_s, edge->to);
      }
    }
  }

  // Capacities are integers, so that the flow is exact: bandwidths times a scale, rounded up to stay a bound.
  using Capacity = std::int64_t;
  static constexpr Capacity unlimited = Capacity{1} << 60;

  void find_scale() {
    double largest = 1;
    for (const Edge& edge : edges_) {
      if (std::isfinite(edge.bandwidth_Bps)) largest = std::max(largest, edge.bandwidth_Bps);
    }
    scale_ = std::exp2(40 - std::ceil(std::log2(largest)));
  }

  Capacity capacity_of(double bandwidth_Bps) const {
    return std::isfinite(bandwidth_Bps) ? static_cast<Capacity>(std::ceil(bandwidth_Bps * scale_)) : unlimited;
  }

  double max_flow() const {
    using namespace boost;
    using Traits = adjacency_list_traits<vecS, vecS, directedS>;
    using Graph = adjacency_list<
        vecS, vecS, directedS, no_property,
        property<edge_capacity_t, Capacity,
                 property<edge_residual_capacity_t, Capacity, property<edge_reverse_t, Traits::edge_descriptor>>>>;
    Graph graph(nodes_);
    const auto capacity = get(edge_capacity, graph);
    const auto reverse = get(edge_reverse, graph);
    for (const Edge& edge : edges_) {
      const auto there = add_edge(edge.from, edge.to, graph).first;
      const auto back = add_edge(edge.to, edge.from, graph).first;
      capacity[there] = capacity_of(edge.bandwidth_Bps);
      capacity[back] = 0;
      reverse[there] = back;
      reverse[back] = there;
    }
    const Capacity flow = push_relabel_max_flow(graph, source_, target_);
    return flow >= unlimited ? infinite : static_cast<double>(flow) / scale_;
  }

  const Network& network_;
  HostClass root_{};
  std::map<HostClass, int> classes_;  // number of hosts, the root's apart
  std::map<int, int> way_out_, way_in_, entry_of_link_;
  std::map<HostClass, std::size_t> class_edges_;  // the way in; the way out follows it
  int nodes_ = 0, source_ = 0, target_ = 0;
  std::vector<Edge> edges_;
  std::vector<double> distance_s_;
  double scale_ = 1;
};

double broadcast_bound(const Network& network, const Placement& placement, const Problem& problem) {
  const int root_host = placement.host_of_rank[problem.root];
  const auto bytes = static_cast<double>(problem.bytes());
  LinkGraph graph(network, placement, root_host);
  if (graph.classes().empty()) {
    const Pipe loopback = pipe_of(network, network.hosts[root_host].loopback);
    return loopback.latency_s + bytes / loopback.bandwidth_Bps;
  }

  // Any part of the hosts gives a bound. Flows in very large networks are worked out for the most promising ones only.
  struct Candidate {
    double distance_s, at_least_s;
    const HostClass* kind;
  };
  std::vector<Candidate> candidates;
  for (const auto& [kind, hosts] : graph.classes()) {
    const double distance_s = graph.distance_s(kind);
    if (!std::isfinite(distance_s)) {
      throw BadInput(fmt::format("{}: no way from host {} to every other host of the ranks", network.name,
                                 network.hosts[root_host].name));
    }
    candidates.push_back({distance_s, distance_s + bytes / kind.down.bandwidth_Bps, &kind});
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.at_least_s > b.at_least_s; });
  constexpr std::size_t most_edges = 20'000'000;
  double bound_s = 0;
  std::size_t edges = 0;
  for (const Candidate& candidate : candidates) {
    bound_s = std::max(bound_s, candidate.at_least_s);
    if (edges > most_edges) continue;
    edges += graph.edges();
    bound_s = std::max(bound_s, candidate.distance_s + bytes / graph.flow_Bps(*candidate.kind));
  }
  return bound_s;
}

}  // namespace

double lower_bound(const Network& network, const Placement& placement, const Problem& problem) {
  if (problem.root < 0 || problem.root >= placement.size()) {
    throw BadInput(fmt::format("root {} is out of range; ranks are 0..{}", problem.root, placement.size() - 1));
  }
  if (placement.size() <= 1 || problem.bytes() <= 0) return 0;
  if (problem.collective != Collective::broadcast) {
    throw BadInput(fmt::format("no lower bound is known for {}; there is one for broadcast", name(problem.collective)));
  }
  return broadcast_bound(network, placement, problem);
}

}  // namespace isthmus
