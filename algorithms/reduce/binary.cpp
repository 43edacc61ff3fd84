// Binary tree reduction. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: a complete binary tree, pipelined. A rank's own
// operand and those of its two subtrees do not belong to consecutive ranks, so that the operator has to commute.
//
// Cost (there, table 3): Hockney 2 (ceil(log2(P + 1)) + n_s - 2) (alpha + beta m_s + gamma m_s);
// P-LogP (ceil(log2(P + 1)) - 1) (L + 2 max(g(m_s), or(m_s) + gamma m_s))
//        + (n_s - 1) (os(m_s) + 2 max(g(m_s), or(m_s) + gamma m_s)).
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_binary(Program& program, const RootedGroup& group, const Reduction& reduction) {
  reduce_along(program, group, {TreeShape::k_ary, 2}, reduction);
}

}  // namespace isthmus
