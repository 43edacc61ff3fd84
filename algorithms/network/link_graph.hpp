// The links of a placed network as a graph: distances and maximum flows between sets of hosts.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

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
  /// The maximum flow from `sources` to `targets`, which are different hosts; infinity if some path has no shared link.
  double flow_Bps(const Hosts& sources, const Hosts& targets) const;
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
  };

  void add_trunk(int from_endpoint, int to_endpoint, const Trunk& trunk);

  const Network& network_;
  std::vector<HostClass> classes_;
  std::vector<int> class_of_host_;
  std::map<int, int> way_out_, way_in_, entry_of_link_;  // nodes, by endpoint and by link
  std::vector<Edge> edges_;                              // between endpoints
  int nodes_ = 0;
  double scale_ = 1;  // of bandwidths, to make integers of them
};

}  // namespace isthmus
