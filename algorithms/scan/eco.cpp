// The scan of ECO. Lowekamp 1995, section 5: operands go along its tree from the leaves to the root, rank 0, and the
// sums back, with a pattern of its own in each subnet. The paper does not say where operands are combined; here it is
// the root, so that groups need not be consecutive ranks.
//
// Cost: those of gather/eco and scatter/eco, and P m gamma.
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/scan/scan.hpp"

namespace isthmus {

void exscan_eco(Program& program, const Call& call) {
  const GroupTrees trees(call.parameters);
  exscan_along(program, multilevel_places(call.topology, 0, trees), call.topology.size(), call.rank,
               input(0, call.problem.count), output(0, call.problem.count));
}

}  // namespace isthmus
