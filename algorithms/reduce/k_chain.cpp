// k-chain reduction: `chains` chains side by side end at the root. Pjesivac-Grbovic 2005, sections 4.1 and 4.2.
//
// Cost with K chains, the longest of C = ceil((P - 1) / K) members, in the manner of its table 3 (which does not have
// k-chain), if the root is the bottleneck: P-LogP (C - 1) (L + g(m_s)) + L + n_s K max(g(m_s), or(m_s) + gamma m_s).
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_k_chain(Program& program, const RootedGroup& group, const Reduction& reduction, int chains) {
  reduce_along(program, group, {TreeShape::k_chain, chains}, reduction);
}

}  // namespace isthmus
