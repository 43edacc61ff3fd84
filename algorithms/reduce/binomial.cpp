// Binomial tree reduction. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: the smallest subtree finishes first and is
// combined first. The members of a subtree are consecutive, so that operands stay in order.
//
// Cost (there, table 3): Hockney ceil(log2 P) n_s (alpha + beta m_s + gamma m_s);
// P-LogP ceil(log2 P) (L + n_s max(g(m_s), or(m_s) + gamma m_s + os(m_s))).
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_binomial(Program& program, const RootedGroup& group, const Reduction& reduction) {
  reduce_along(program, group, {TreeShape::binomial}, reduction);
}

}  // namespace isthmus
