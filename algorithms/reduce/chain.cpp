// Chain (pipeline) reduction. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: each rank adds its operand to what comes
// from the next one.
//
// Cost (there, table 3): Hockney (P + n_s - 2) (alpha + beta m_s + gamma m_s);
// P-LogP (P - 1) (L + max(g(m_s), or(m_s) + gamma m_s)) + (n_s - 1) (max(g(m_s), or(m_s) + gamma m_s) + os(m_s)).
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_chain(Program& program, const RootedGroup& party, const Reduction& reduction) {
  reduce_along(program, party, {TreeShape::chain}, reduction);
}

}  // namespace isthmus
