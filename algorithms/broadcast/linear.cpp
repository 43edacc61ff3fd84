// Linear (flat tree) broadcast. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: the root sends to every other rank in
// turn.
//
// Cost (there, table 2): Hockney n_s (P - 1) (alpha + beta m_s); P-LogP L + n_s (P - 1) g(m_s).
// Kielmann 2000, section 3.1, for sends that leave s(m_s) apart over links of their own: (n_s - 1) gamma + lambda with
// gamma = max(g(m_s), (P - 1) s(m_s)) and lambda = (P - 2) s(m_s) + L + g(m_s).
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_linear(Program& program, const RootedGroup& group, Slice message, std::int64_t segment) {
  broadcast_along(program, group, {TreeShape::flat}, message, segment);
}

}  // namespace isthmus
