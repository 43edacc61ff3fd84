// The reduction to all of ECO. Lowekamp 1995, section 5: along its tree from the leaves to the root, rank 0, and back
// to the leaves, with a pattern of its own in each subnet.
//
// Cost: twice the sum over the levels of the cost of each group's tree.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void allreduce_eco(Program& program, const Call& call) {
  const std::int64_t count = call.problem.count;
  allreduce_multilevel(program, call.topology, call.rank, input(0, count), output(0, count), call.segment_elements(),
                       call.problem.commutative, GroupTrees(call.parameters));
}

}  // namespace isthmus
