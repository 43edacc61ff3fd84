// P-LogP (Kielmann 2000, section 2.1): latency, overheads and gap as functions of the message size.
#pragma once

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
  int cluster_size = 1;  ///< ranks of the largest cluster
};

/// P-LogP of the route between two hosts: L is its latency; os and or are the overheads of the route's class, or else
/// of the transport; g(m) is the longest time for which m bytes occupy one of its links, but at least os(m) and or(m),
/// which g covers by definition. Throws BadInput when there is no route.
PLogP plogp_of(const Network& network, int from_host, int to_host);

/// The layers of a placed network. The WAN has the highest latency of all routes between coordinators of level 1, and
/// for every size the highest gap; the LAN likewise inside groups. So a layer is at least as slow as each of its
/// routes. A rank outside all level-1 groups is a cluster of its own; without level-1 groups all ranks are one cluster.
/// If no cluster has two ranks the LAN consists of the first coordinator's own links, since g_l also bounds sending to
/// the WAN. Other layers that no message uses have no costs.
TwoLayers two_layers_of(const PlacedNetwork& placed);

}  // namespace isthmus
