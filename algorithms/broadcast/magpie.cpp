// The original broadcast of MagPIe. Kielmann 2000, section 3: the root sends the whole message to the coordinator of
// each other cluster, one after the other with blocking sends; a coordinator passes it on inside its cluster along a
// binomial tree. Each byte enters each cluster once, and no path has more than one wide-area link.
//
// Cost (there, sections 3.1 and 3.2, one segment): T = T_w + T_l with T_w = (P_w - 2) s_w(m) + L_w + g_w(m) for P_w
// clusters, where s_w(m) is the time that a blocking send keeps the root (for a message beyond the transport's buffer
// until it is acknowledged: 2 L_w + g_w(m)), and T_l = ceil(log2 P_l) (L_l + g_l(m)) for P_l ranks a cluster.
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {

void broadcast_magpie(Program& program, const Topology& topology, int rank, int root, Slice message) {
  const Layers layers = layers_at(topology, rank, root);
  program.set_lane({.one_send_at_a_time = true});
  if (layers.coordinators) broadcast_linear(program, *layers.coordinators, message, 0);
  broadcast_binomial(program, layers.cluster, message, 0);
}

}  // namespace isthmus
