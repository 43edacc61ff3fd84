// Binomial tree broadcast. Pjesivac-Grbovic 2005, sections 4.1 and 4.2; children in the order of MPICH, the most
// distant (with the largest subtree, where P is a power of two) first.
//
// Cost (there, table 2): Hockney ceil(log2 P) n_s (alpha + beta m_s); P-LogP ceil(log2 P) (L + n_s g(m_s)).
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_binomial(Program& program, const RootedGroup& group, Slice message, std::int64_t segment) {
  broadcast_along(program, group, {TreeShape::binomial}, message, segment);
}

}  // namespace isthmus
