// The barrier of ECO. Lowekamp 1995, section 5: tokens go along its tree from the leaves to the root and back, with a
// pattern of its own in each subnet.
//
// Cost: that of allreduce/eco for a token.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/barrier/barrier.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void barrier_eco(Program& program, const Call& call) {
  allreduce_multilevel(program, call.topology, call.rank, input(0, 1), output(0, 1), 0, true,
                       GroupTrees(call.parameters));
}

}  // namespace isthmus
