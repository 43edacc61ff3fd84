// The ways of frames through an emulated network: the hops of links that they pass one after the other, and the
// nodes where hops meet.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Links that always follow each other are one hop: their latencies add, the slowest gives the rate. Frames of all
/// routes over it pass one queue, whichever their direction: they come in at one node and leave at another.
struct Hop {
  std::vector<int> links;
  Queue queue = {};
  int from = 0, to = 0;  ///< nodes
};

/// Hosts whose routes differ only in links that no other host uses; a host whose own links others use too, or the
/// opposite direction, is a place by itself, and these links are part of its ways.
struct Subnet {
  std::vector<int> hosts;
  bool has_own_links = false;  ///< the hosts' `up` and `down` lie between them and the place
  int node = 0;
  double arriving_Bps = 0;  ///< the highest rate at which frames for its hosts come in; infinite: not limited
};

struct ForwardingGraph {
  std::vector<Subnet> subnets;
  std::vector<Hop> hops;
  std::map<std::pair<int, int>, std::vector<int>> between;  ///< two different subnets: hops

  int nodes = 0;
  /// What frames for a place, of those that come by, do at a node: take a hop that begins there, ...
  std::map<std::pair<int, int>, int> next_hop;
  /// ... or cross over to another node, where they cannot be mixed with others; else they have arrived.
  std::map<std::pair<int, int>, int> next_node;
};

/// The ways between `hosts`. Throws BadInput when there is none between two of them, or when one depends on more than
/// the link it has come over and where it leads.
ForwardingGraph build_forwarding(const Network& network, const std::vector<int>& hosts, const PlanOptions& options);

/// Throws BadInput where each flow cannot have this queue's rate for itself.
void check_per_flow(const std::string& link, const Queue& queue, const PlanOptions& options);

/// One hop over these links, in order, that no frames of the opposite direction pass.
Queue queue_of(const Network& network, const std::vector<int>& links);

}  // namespace isthmus
