// k-chain broadcast: the root sends to `chains` parallel chains. The virtual topology of Pjesivac-Grbovic 2005, section
// 4.1, which uses it for reductions and has no formula for the broadcast.
//
// Cost with K chains, in the manner of its table 2: the longest chain has C = ceil((P - 1) / K) members, and the last
// chain waits for K - 1 sends. P-LogP, if the root is the bottleneck: L + n_s K g(m_s) + (C - 1) (L + g(m_s)).
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_k_chain(Program& program, const RootedGroup& group, Slice message, std::int64_t segment, int chains) {
  broadcast_along(program, group, {TreeShape::k_chain, chains}, message, segment);
}

}  // namespace isthmus
