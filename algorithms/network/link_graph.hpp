// The links of a placed network as a graph: how far it is from some hosts to others, and how much can flow.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// Links that a message takes one after the other.
struct Pipe {
  double bandwidth_Bps = std::numeric_limits<double>::infinity();  ///< the least of the shared ones
  double latency_s = 0;

  auto operator<=>(const Pipe&) const = default;  // NOLINT(modernize-use-nullptr): not a zero
};
Pipe pipe_of(const Network& network, const std::vector<int>& links);

/// The graph whose nodes are the hosts that run ranks (all may relay) and the links, and whose edges join what follows
/// each other on some route. Only shared links limit a flow: a fatpipe link slows no two messages down, however many
/// there are. Hosts of one endpoint with equal links are a class, so that large clusters cost no more than small ones.
class LinkGraph {
 public:
  /// `network` must outlive the graph.
  LinkGraph(const PlacedNetwork& placed);

  int classes() const { return static_cast<int>(classes_.size()); }
  int class_of(int host) const { return class_of_host_[host]; }
  int hosts_in(int number) const { return classes_[number].hosts; }
  Pipe up(int number) const { return classes_[number].up; }
  Pipe down(int number) const { return classes_[number].down; }

  /// Hosts by class: how many of each.
  using Hosts = std::vector<int>;
  Hosts nobody() const { return Hosts(classes_.size()); }
  Hosts everybody() const;

  /// By class: the least latency from one of `sources` to a host of it that is none of them (to another one of the
  /// class where that has one); infinity when there is no way.
  std::vector<double> distances_s(const Hosts& sources) const;
  /// The maximum flow from `sources` to `targets`, which are different hosts; infinity without a shared link on some
  /// way.
  double flow_Bps(const Hosts& sources, const Hosts& targets) const;
  /// What working out a flow costs, in edges looked at.
  std::size_t edges() const { return edges_.size(); }

 private:
  struct HostClass {
    int endpoint;
    Pipe up, down;
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
