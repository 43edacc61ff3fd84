// The links of a placed network as a graph: distances and minimum cuts between sets of hosts.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "algorithms/network/link_cut.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// The cost of a sequence of links: bandwidth and latency.
struct RouteCost {
  double bandwidth_Bps = std::numeric_limits<double>::infinity();  ///< the least of the shared ones
  double latency_s = 0;

  auto operator<=>(const RouteCost&) const = default;  // NOLINT(modernize-use-nullptr): not a zero
};
RouteCost route_cost(const Network& network, const std::vector<int>& links);

/// Nodes are links and the hosts that run ranks (all of which may relay); edges join successive elements of routes.
/// Only shared links limit a flow: messages on a fatpipe link do not slow each other. Hosts of one endpoint with equal
/// links are a class, so that large clusters cost no more than small ones.
class LinkGraph {
 public:
  /// `network` must outlive the graph.
  LinkGraph(const PlacedNetwork& placed);

  int classes() const { return static_cast<int>(classes_.size()); }
  int class_of(int host) const { return class_of_host_[host]; }
  int hosts_in(int number) const { return classes_[number].hosts; }
  RouteCost up(int number) const { return classes_[number].up; }
  RouteCost down(int number) const { return classes_[number].down; }

  /// The number of hosts of each class.
  using Hosts = std::vector<int>;
  Hosts nobody() const { return Hosts(classes_.size()); }
  Hosts everybody() const;

  /// By class: the least latency from one of `sources` to another host, of this class; infinity if there is no path.
  std::vector<double> distances_s(const Hosts& sources) const;

  /// The cut between `sources` and `targets`, which are different hosts, whose LinkCut::seconds(bytes) is greatest; no
  /// pieces if nothing limits but latency. Found by maximum flows: B at first for each link, then B (T - l), with T of
  /// the cut before.
  LinkCut slowest_cut(const Hosts& sources, const Hosts& targets, double bytes) const;

  /// A cut at a time: l of a piece is this time less the time for which the link counts.
  struct TimedCut {
    double seconds = 0;
    LinkCut cut;
    bool is_whole = true;  ///< else the flow may take longer
  };
  /// The time of the quickest flow of so many bytes, or the part of it for which links and the times for which they
  /// count prove that no messages are quicker. None where they prove nothing, or in large networks.
  std::optional<TimedCut> quickest_flow(const Hosts& sources, const Hosts& targets, double bytes) const;

  /// The links of a quickest way from one host to another, hosts' own links included.
  std::vector<int> quickest_way(int from_host, int to_host) const;

  /// The number of edges, which is the unit of the cost of a flow.
  std::size_t edges() const { return edges_.size(); }

 private:
  struct HostClass {
    int endpoint;
    RouteCost up, down;
    int hosts = 0;

    auto key() const { return std::tuple(endpoint, up, down); }
  };
  struct Edge {
    int from, to;
    double bandwidth_Bps, latency_s;
    int link = -1;
  };
  /// A piece of a cut between two nodes.
  struct Limit {
    int from, to;
    LinkCut::Piece piece;
  };
  struct Reached {
    double latency_s;
    int edge;  ///< the last of the way, in neighbours_; -1: none
  };
  enum class Direction : std::uint8_t { onward, back };

  void find_neighbours();
  /// By node: the least latency from one of the hosts to it, or (back) from it to one of the hosts.
  std::vector<Reached> search(const Hosts& hosts, Direction direction) const;
  std::vector<Limit> limits(const Hosts& sources, const Hosts& targets) const;
  /// The minimum cut, where `seconds` is infinite of bandwidths, else of the bytes that can cross by then.
  LinkCut minimum_cut(const std::vector<Limit>& limits, double seconds) const;

  void add_way(int from_endpoint, int to_endpoint, const std::vector<int>& links);

  const Network& network_;
  std::vector<HostClass> classes_;
  std::vector<int> class_of_host_;
  std::map<int, int> way_out_, way_in_, entry_of_link_;  // nodes, by endpoint and by link
  std::vector<Edge> edges_;                              // between endpoints
  // Edges, and for each class the way through one of its hosts as relay.
  std::vector<Edge> neighbours_;
  std::vector<std::vector<int>> leaving_, entering_;  // numbers in neighbours_, by node
  int nodes_ = 0;
};

}  // namespace isthmus
