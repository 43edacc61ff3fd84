// Chain (pipeline) reduction. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: each rank combines its operand with what it
// receives from the next rank.
//
// Cost (there, table 3): Hockney (P + n_s - 2) (alpha + beta m_s + gamma m_s);
// P-LogP (P - 1) (L + max(g(m_s), or(m_s) + gamma m_s)) + (n_s - 1) (max(g(m_s), or(m_s) + gamma m_s) + os(m_s)).
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_chain(Program& program, const RootedGroup& group, const Reduction& reduction) {
  reduce_along(program, group, {TreeShape::chain}, reduction);
}

}  // namespace isthmus
