// P-LogP (Kielmann 2000, section 2.1): latency, overheads and gap as functions of the message size.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// One network layer: N = (L, os, or, g), sizes in bytes, times in seconds.
struct PLogP {
  double latency_s = 0;
  SizeFunction send_overhead, receive_overhead, gap;

  /// r(m) = L + g(m): from the start of a send until the message has been received.
  double receive_time_s(double bytes) const { return latency_s + gap(bytes); }
};

/// The two layers of Kielmann 2000, section 2.1: between clusters and inside them.
struct TwoLayers {
  PLogP wan, lan;
  int clusters = 1;      ///< groups at level 1
  int cluster_size = 1;  ///< ranks of the largest
};

/// P-LogP of the route between two hosts: L = its latency, os and or = the overheads of the route's class, or else of
/// the transport, and g(m) = the longest that m bytes occupy any of its links, but at least os(m) and or(m), which g
/// covers by definition. Throws BadInput when there is no route.
PLogP plogp_of(const Network& network, int from_host, int to_host);

/// The layers of a placed network: as late as the latest route between coordinators of level 1, and as slow as the
/// slowest for every size; and the same inside groups. So that no time by a layer is less than by any of its routes.
/// Ranks outside any level-1 group are clusters of their own; without level-1 groups there is one cluster of everybody.
/// Where no cluster has two ranks the LAN is the links that the first coordinator uses whomever it sends to, since g_l
/// also bounds sending to the WAN; apart from that a layer that no message uses has no costs.
TwoLayers two_layers_of(const PlacedNetwork& placed);

}  // namespace isthmus
