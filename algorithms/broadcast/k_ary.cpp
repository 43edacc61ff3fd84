// k-ary tree broadcast. Kielmann 2000, section 3.1: segments go down the tree of least height h for degree d.
//
// Cost (there): (k - 1) gamma + lambda for k = n_s segments, bounded by gamma <= max(g(m_s), or(m_s) + d s(m_s)) and
// lambda <= h ((d - 1) s(m_s) + L + g(m_s)), where s(m) is the time after which a sender can send on another link,
// or(m) the overhead of a receive, and h the least with d^0 + ... + d^h >= P. Degree 1 is the chain, P - 1 the flat
// tree.
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"

namespace isthmus {

void broadcast_k_ary(Program& program, const RootedGroup& group, Slice message, std::int64_t segment, int degree) {
  broadcast_along(program, group, {TreeShape::k_ary, degree}, message, segment);
}

}  // namespace isthmus
