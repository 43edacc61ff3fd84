// Chain (pipeline) broadcast. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: each rank passes the segments on to the
// next.
//
// Cost (there, table 2): Hockney (P + n_s - 2) (alpha + beta m_s); P-LogP (P - 1) (L + g(m_s)) + (n_s - 1) g(m_s).
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_chain(Program& program, const RootedGroup& group, Slice message, std::int64_t segment) {
  broadcast_along(program, group, {TreeShape::chain}, message, segment);
}

}  // namespace isthmus
