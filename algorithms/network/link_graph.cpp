#include "algorithms/network/link_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/range/iterator_range.hpp>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>

namespace isthmus {
namespace {

// Capacities are integers, so that the flow is exact: bandwidths times a scale. What a cut lets through is computed
// from its pieces, not from the flow.
using Capacity = std::int64_t;
constexpr Capacity unlimited = Capacity{1} << 52;  // sums of many do not overflow

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
  for (const auto& [ends, trunk] : network.trunks)
    if (way_out_.contains(ends.first) && way_in_.contains(ends.second)) {
      add_way(ends.first, ends.second, trunk.links);
      for (const std::vector<int>& links : trunk.other_ways) add_way(ends.first, ends.second, links);
    }
  find_neighbours();
}

void LinkGraph::add_way(int from_endpoint, int to_endpoint, const std::vector<int>& links) {
  int at = way_out_.at(from_endpoint);
  for (const int link : links) {
    const auto [entry, is_new] = entry_of_link_.try_emplace(link, nodes_);
    if (is_new) {
      nodes_ += 2;
      const RouteCost cost = route_cost(network_, {link});
      edges_.push_back({entry->second, entry->second + 1, cost.bandwidth_Bps, cost.latency_s, link});
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

void LinkGraph::find_neighbours() {
  neighbours_ = edges_;
  for (const HostClass& kind : classes_)  // hosts may relay
    neighbours_.push_back(
        {way_in_.at(kind.endpoint), way_out_.at(kind.endpoint), infinite, kind.down.latency_s + kind.up.latency_s});
  leaving_.resize(nodes_);
  entering_.resize(nodes_);
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    leaving_[neighbours_[i].from].push_back(static_cast<int>(i));
    entering_[neighbours_[i].to].push_back(static_cast<int>(i));
  }
}

// Dijkstra's algorithm over latencies.
std::vector<LinkGraph::Reached> LinkGraph::search(const Hosts& hosts, Direction direction) const {
  const bool onward = direction == Direction::onward;
  std::vector<Reached> reached(nodes_, {infinite, -1});
  using Next = std::pair<double, int>;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto reach = [&](int node, double latency_s, int edge) {
    if (latency_s >= reached[node].latency_s) return;
    reached[node] = {latency_s, edge};
    next.emplace(latency_s, node);
  };
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const HostClass& kind = classes_[i];
    if (hosts[i] > 0 && onward) reach(way_out_.at(kind.endpoint), kind.up.latency_s, -1);
    if (hosts[i] > 0 && !onward) reach(way_in_.at(kind.endpoint), kind.down.latency_s, -1);
  }
  while (!next.empty()) {
    const auto [latency_s, node] = next.top();
    next.pop();
    if (latency_s > reached[node].latency_s) continue;
    for (const int number : (onward ? leaving_ : entering_)[node]) {
      const Edge& edge = neighbours_[number];
      reach(onward ? edge.to : edge.from, latency_s + edge.latency_s, number);
    }
  }
  return reached;
}

std::vector<double> LinkGraph::distances_s(const Hosts& sources) const {
  const std::vector<Reached> reached = search(sources, Direction::onward);
  std::vector<double> by_class;
  for (const HostClass& kind : classes_)
    by_class.push_back(reached[way_in_.at(kind.endpoint)].latency_s + kind.down.latency_s);
  return by_class;
}

std::vector<int> LinkGraph::quickest_way(int from_host, int to_host) const {
  Hosts source = nobody();
  source[class_of(from_host)] = 1;
  const std::vector<Reached> reached = search(source, Direction::onward);
  const Host &from = network_.hosts[from_host], &to = network_.hosts[to_host];
  std::vector<int> way(to.down.rbegin(), to.down.rend());
  for (int node = way_in_.at(to.endpoint); reached[node].edge >= 0;) {
    const Edge& edge = neighbours_[reached[node].edge];
    if (edge.link >= 0) way.push_back(edge.link);
    node = edge.from;
  }
  way.insert(way.end(), from.up.rbegin(), from.up.rend());
  std::reverse(way.begin(), way.end());
  return way;
}

std::vector<LinkGraph::Limit> LinkGraph::limits(const Hosts& sources, const Hosts& targets) const {
  const std::vector<Reached> from = search(sources, Direction::onward), onward = search(targets, Direction::back);
  std::vector<Limit> limits;
  limits.reserve(edges_.size() + 2 * classes_.size());
  for (const Edge& edge : edges_)
    limits.push_back({edge.from,
                      edge.to,
                      {.link = edge.link,
                       .bandwidth_Bps = edge.bandwidth_Bps,
                       .latency_s = from[edge.from].latency_s + edge.latency_s + onward[edge.to].latency_s}});
  const int source = nodes_, target = nodes_ + 1;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const HostClass& kind = classes_[i];
    const int out = way_out_.at(kind.endpoint), in = way_in_.at(kind.endpoint), number = static_cast<int>(i);
    const double to_s = from[in].latency_s + kind.down.latency_s, from_s = kind.up.latency_s + onward[out].latency_s;
    const auto add = [&](int begin, int end, bool up, int hosts, double latency_s) {
      const double bandwidth_Bps = (up ? kind.up : kind.down).bandwidth_Bps * hosts;
      limits.push_back({begin, end, {-1, number, up, bandwidth_Bps, latency_s}});
    };
    if (sources[i] > 0) add(source, out, true, sources[i], from_s);
    if (targets[i] > 0) add(in, target, false, targets[i], to_s);
    const int relays = kind.hosts - sources[i] - targets[i];
    if (relays <= 0) continue;
    const int relay = nodes_ + 2 + number;
    add(in, relay, false, relays, to_s + from_s);
    add(relay, out, true, relays, to_s + from_s);
  }
  return limits;
}

LinkCut LinkGraph::minimum_cut(const std::vector<Limit>& limits, double seconds) const {
  const auto limit_of = [&](const LinkCut::Piece& piece) {
    if (!std::isfinite(piece.latency_s)) return 0.0;
    return std::isfinite(seconds) ? piece.bandwidth_Bps * std::max(0.0, seconds - piece.latency_s)
                                  : piece.bandwidth_Bps;
  };
  double largest = 0;
  for (const Limit& limit : limits)
    if (seconds > limit.piece.latency_s && std::isfinite(limit.piece.bandwidth_Bps))
      largest = std::max(largest, limit_of(limit.piece));
  const double scale = largest > 0 ? std::exp2(40 - std::ceil(std::log2(largest))) : 1;
  // What nothing limits is open at its latency already, so that the cut of just this time is one of limited links.
  const auto capacity = [&](const LinkCut::Piece& piece) -> Capacity {
    if (!(seconds >= piece.latency_s)) return 0;
    return std::isfinite(piece.bandwidth_Bps) ? static_cast<Capacity>(std::ceil(limit_of(piece) * scale)) : unlimited;
  };
  const int source = nodes_, target = nodes_ + 1;
  FlowGraph graph(nodes_ + 2 + classes_.size());
  for (const Limit& limit : limits) join(graph, limit.from, limit.to, capacity(limit.piece));
  push_relabel_max_flow(graph, source, target);

  std::vector<bool> beyond(num_vertices(graph), true);
  std::vector<int> next = {source};
  beyond[source] = false;
  while (!next.empty()) {
    const int node = next.back();
    next.pop_back();
    for (const auto& edge : boost::make_iterator_range(out_edges(node, graph))) {
      const auto to = static_cast<int>(boost::target(edge, graph));
      if (!beyond[to] || get(boost::edge_residual_capacity, graph, edge) == 0) continue;
      beyond[to] = false;
      next.push_back(to);
    }
  }
  LinkCut cut;
  for (const Limit& limit : limits)
    if (!beyond[limit.from] && beyond[limit.to] && std::isfinite(limit.piece.latency_s))
      cut.pieces.push_back(limit.piece);
  return cut;
}

// Each cut is a bound. The bytes that can cross by T rise with T, so that a cut which is narrower at the T of the one
// before has a later T; where none is narrower, no cut has a later one. Links that open just after T, one after the
// other, would make small steps of this: after a few, a T further on is tried.
LinkCut LinkGraph::slowest_cut(const Hosts& sources, const Hosts& targets, double bytes) const {
  constexpr int max_steps = 40, small_steps = 4;
  const std::vector<Limit> limits = this->limits(sources, targets);
  LinkCut slowest;
  double slowest_s = 0, seconds = infinite, further = 0;
  for (int step = 0; step < max_steps; ++step) {
    LinkCut cut = minimum_cut(limits, seconds * (1 + further));
    const double cut_s = cut.seconds(bytes);
    if (cut_s > slowest_s * (1 + 1e-9) && std::isfinite(cut_s)) {
      slowest = std::move(cut);
      seconds = slowest_s = cut_s;
      if (step >= small_steps) further = 0.25;
    } else if (further > 0) {
      further = further > 0.01 ? further / 8 : 0;
    } else {
      break;
    }
  }
  return slowest;
}

}  // namespace isthmus
