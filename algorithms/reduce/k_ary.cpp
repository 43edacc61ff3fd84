// k-ary tree reduction: the reverse of the broadcast along the tree of least height for a degree (Kielmann 2000,
// section 3.1), as Lowekamp 1995 compares it with ECO. A rank's own operand and those of its subtrees do not belong to
// consecutive ranks, so that the operator has to commute.
//
// Cost: that of the broadcast/k-ary with gamma m for each operand that is combined.
#include "algorithms/reduce/delivery.hpp"

namespace isthmus {

void reduce_k_ary(Program& program, const RootedGroup& group, const Reduction& reduction, int degree) {
  reduce_along(program, group, {TreeShape::k_ary, degree}, reduction);
}

}  // namespace isthmus
