#include "algorithms/network/link_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>

namespace isthmus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Capacities are integers, so that the flow is exact: bandwidths times a scale, rounded up so that the result stays an
// upper bound of the flow.
using Capacity = std::int64_t;
constexpr Capacity unlimited = Capacity{1} << 60;

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, Capacity,
                    boost::property<boost::edge_residual_capacity_t, Capacity,
                                    boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

void join(FlowGraph& graph, int from, int to, Capacity limit) {
  const auto there = add_edge(from, to, graph).first;
  const auto back = add_edge(to, from, graph).first;
  put(boost::edge_capacity, graph, there, limit);
  put(boost::edge_capacity, graph, back, 0);
  put(boost::edge_reverse, graph, there, back);
  put(boost::edge_reverse, graph, back, there);
}

}  // namespace

RouteCost route_cost(const Network& network, const std::vector<int>& links) {
  RouteCost cost;
  for (const int number : links) {
    const Link& link = network.links[number];
    cost.latency_s += link.latency_s;
    if (link.sharing == Sharing::shared) cost.bandwidth_Bps = std::min(cost.bandwidth_Bps, link.bandwidth_Bps);
  }
  return cost;
}

LinkGraph::LinkGraph(const PlacedNetwork& placed)
    : network_(placed.network()), class_of_host_(placed.network().hosts.size(), -1) {
  const Network& network = placed.network();
  std::map<std::tuple<int, RouteCost, RouteCost>, int> numbers;
  double largest_Bps = 1;
  const auto count_bandwidth = [&](double bandwidth_Bps) {
    if (std::isfinite(bandwidth_Bps)) largest_Bps = std::max(largest_Bps, bandwidth_Bps);
  };
  for (const int number : placed.placement().host_of_rank) {
    if (class_of_host_[number] >= 0) continue;
    const Host& host = network.hosts[number];
    const HostClass kind = {host.endpoint, route_cost(network, host.up), route_cost(network, host.down)};
    const auto [at, is_new] = numbers.try_emplace(kind.key(), static_cast<int>(classes_.size()));
    if (is_new) {
      classes_.push_back(kind);
      if (way_out_.try_emplace(kind.endpoint, nodes_).second) {
        way_in_[kind.endpoint] = nodes_ + 1;
        nodes_ += 2;
      }
    }
    class_of_host_[number] = at->second;
    ++classes_[at->second].hosts;
  }
  for (const HostClass& kind : classes_) {
    count_bandwidth(kind.up.bandwidth_Bps * kind.hosts);
    count_bandwidth(kind.down.bandwidth_Bps * kind.hosts);
  }
  for (const auto& [ends, trunk] : network.trunks)
    if (way_out_.contains(ends.first) && way_in_.contains(ends.second)) add_trunk(ends.first, ends.second, trunk);
  for (const Edge& edge : edges_) count_bandwidth(edge.bandwidth_Bps);
  scale_ = std::exp2(40 - std::ceil(std::log2(largest_Bps)));
}

void LinkGraph::add_trunk(int from_endpoint, int to_endpoint, const Trunk& trunk) {
  int at = way_out_.at(from_endpoint);
  for (const int link : trunk.links) {
    const auto [entry, is_new] = entry_of_link_.try_emplace(link, nodes_);
    if (is_new) {
      nodes_ += 2;
      const RouteCost cost = route_cost(network_, {link});
      edges_.push_back({entry->second, entry->second + 1, cost.bandwidth_Bps, cost.latency_s});
    }
    edges_.push_back({at, entry->second, infinite, 0});
    at = entry->second + 1;
  }
  edges_.push_back({at, way_in_.at(to_endpoint), infinite, 0});
}

LinkGraph::Hosts LinkGraph::everybody() const {
  Hosts hosts;
  for (const HostClass& kind : classes_) hosts.push_back(kind.hosts);
  return hosts;
}

// Dijkstra's algorithm over latencies. Since hosts may relay, the links into an endpoint are joined to its links out.
std::vector<double> LinkGraph::distances_s(const Hosts& sources) const {
  struct Further {
    int to;
    double latency_s;
  };
  std::vector<std::vector<Further>> leaving(nodes_);
  for (const Edge& edge : edges_) leaving[edge.from].push_back({edge.to, edge.latency_s});
  std::vector<double> distance_s(nodes_, infinite);
  using Reached = std::pair<double, int>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
  const auto reach = [&](int node, double after_s) {
    if (after_s < distance_s[node]) next.emplace(distance_s[node] = after_s, node);
  };
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const HostClass& kind = classes_[i];
    leaving[way_in_.at(kind.endpoint)].push_back({way_out_.at(kind.endpoint), kind.down.latency_s + kind.up.latency_s});
    if (sources[i] > 0) reach(way_out_.at(kind.endpoint), kind.up.latency_s);
  }
  while (!next.empty()) {
    const auto [after_s, node] = next.top();
    next.pop();
    if (after_s > distance_s[node]) continue;
    for (const auto& [to, latency_s] : leaving[node]) reach(to, after_s + latency_s);
  }
  std::vector<double> by_class;
  for (const HostClass& kind : classes_)
    by_class.push_back(distance_s[way_in_.at(kind.endpoint)] + kind.down.latency_s);
  return by_class;
}

double LinkGraph::flow_Bps(const Hosts& sources, const Hosts& targets) const {
  const auto capacity = [&](double bandwidth_Bps) {
    return std::isfinite(bandwidth_Bps) ? static_cast<Capacity>(std::ceil(bandwidth_Bps * scale_)) : unlimited;
  };
  FlowGraph graph(nodes_ + 2 + classes_.size());
  const int source = nodes_, target = nodes_ + 1;
  for (const Edge& edge : edges_) join(graph, edge.from, edge.to, capacity(edge.bandwidth_Bps));
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const HostClass& kind = classes_[i];
    const int out = way_out_.at(kind.endpoint), in = way_in_.at(kind.endpoint);
    const int relays = kind.hosts - sources[i] - targets[i];
    if (sources[i] > 0) join(graph, source, out, capacity(kind.up.bandwidth_Bps * sources[i]));
    if (targets[i] > 0) join(graph, in, target, capacity(kind.down.bandwidth_Bps * targets[i]));
    if (relays <= 0) continue;
    const auto relay = static_cast<int>(nodes_ + 2 + i);
    join(graph, in, relay, capacity(kind.down.bandwidth_Bps * relays));
    join(graph, relay, out, capacity(kind.up.bandwidth_Bps * relays));
  }
  const Capacity flow = push_relabel_max_flow(graph, source, target);
  return flow >= unlimited ? infinite : static_cast<double>(flow) / scale_;
}

}  // namespace isthmus
