// The pipelined two-layer broadcast. Kielmann 2000, section 3.2: trees of least height over the coordinators of the
// clusters and inside each cluster; coordinators forward each segment to other coordinators first, then into their own
// cluster.
//
// Cost (there): T = (k - 1) gamma + lambda_w + lambda_l for k = n_s segments of m bytes, with
// gamma = max(g_w(m), or_w(m) + d_w s_w(m) + d_l s_l(m)) and lambda_x <= h_x ((d_x - 1) s_x(m) + L_x + g_x(m)), where w
// and l are the wide-area and the local layer, d_x the degrees, h_x the least heights for them (min_height), s_x(m)
// the time after which a sender can send again, and or_w(m) the overhead of a receive.

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/exchange.hpp"

namespace isthmus {

void broadcast_kielmann(Program& program, const Topology& topology, int rank, int root, Slice message,
                        std::int64_t segment, int wan_degree, int lan_degree) {
  const Layers layers = layers_at(topology, rank, root);
  const Tree wan = wan_degree > 0 ? Tree{TreeShape::k_ary, wan_degree} : Tree{TreeShape::flat};
  const Tree lan{TreeShape::k_ary, lan_degree > 0 ? lan_degree : 2};

  if (layers.coordinators) receive_from_parent(program, *layers.coordinators, wan, message, segment);
  receive_from_parent(program, layers.cluster, lan, message, segment);
  for (const Slice part : split(message, segment)) {
    if (layers.coordinators) send_to_children(program, *layers.coordinators, wan, part);
    send_to_children(program, layers.cluster, lan, part);
  }
}

}  // namespace isthmus
