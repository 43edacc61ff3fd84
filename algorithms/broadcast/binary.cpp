// Binary tree broadcast. Pjesivac-Grbovic 2005, sections 4.1 and 4.2: a complete binary tree, pipelined.
//
// Cost (there, table 2): Hockney (ceil(log2(P + 1)) + n_s - 2) (2 alpha + beta m_s);
// P-LogP (ceil(log2(P + 1)) - 1) (L + 2 g(m_s)) + (n_s - 1) max(2 g(m_s), or(m_s) + g(m_s) + os(m_s)), with os(m) and
// or(m) the processor's overheads of a send and a receive.
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_binary(Program& program, const RootedGroup& group, Slice message, std::int64_t segment) {
  broadcast_along(program, group, {TreeShape::k_ary, 2}, message, segment);
}

}  // namespace isthmus
