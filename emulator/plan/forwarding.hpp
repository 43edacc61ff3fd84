// The paths of frames through an emulated network: the hops of links that they pass one after the other, and the nodes
// where hops meet.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Links that always follow each other are one hop: their latencies add, the slowest gives the rate. Frames of all
/// routes over it, in either direction, pass one queue: they enter at node `from` and leave at node `to`.
struct Hop {
  std::vector<int> links;
  Queue queue = {};
  int from = 0, to = 0;  ///< nodes
};

/// Hosts whose routes differ only in links that no other host uses. A host is a subnet by itself when other hosts, or
/// both directions, use its links; these links are then part of its paths.
struct Subnet {
  std::vector<int> hosts;
  bool has_own_links = false;  ///< the hosts' `up` and `down` lie between them and the node
  int node = 0;
  double arriving_Bps = 0;  ///< the highest rate at which frames for its hosts arrive; infinite: not limited
};

struct ForwardingGraph {
  std::vector<Subnet> subnets;
  std::vector<Hop> hops;
  /// Hops from one subnet to another; absent: no route.
  std::map<std::pair<int, int>, std::vector<int>> between;
  bool complete() const { return between.size() == subnets.size() * (subnets.size() - 1); }

  int nodes = 0;
  /// The way of a frame, by node and subnet of destination: it takes a hop that begins at the node, ...
  std::map<std::pair<int, int>, int> next_hop;
  /// ... or crosses to another node that could not be merged with this one. With neither, it has arrived.
  std::map<std::pair<int, int>, int> next_node;
};

/// The paths between `hosts`. Throws BadInput when two of them have a route in one direction alone, or when a route
/// depends on more than the previous link and the destination.
ForwardingGraph build_forwarding(const Network& network, const std::vector<int>& hosts, const PlanOptions& options);

/// Throws BadInput when the substrate or the kernel cannot give each flow this queue's rate.
void check_per_flow(const std::string& link, const Queue& queue, const PlanOptions& options);

/// The queue of one hop over these links, in order, for frames of one direction.
Queue queue_of(const Network& network, const std::vector<int>& links);

}  // namespace isthmus
