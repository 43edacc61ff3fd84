// The gather of ECO. Lowekamp 1995, section 5: blocks go along its tree from the leaves to the receiver, which is the
// root, with a pattern of its own in each subnet.
//
// Cost: the sum over the levels of the cost of each group's tree.
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/gather/gather.hpp"

namespace isthmus {

void gather_eco(Program& program, const Call& call) {
  const Blocks all(call.problem, call.topology.size(), Buffer::output);
  gather_multilevel(program, call.topology, call.rank, call.problem.root,
                    input(0, block_count(call.problem, call.rank)), all, call.segment_elements(),
                    GroupTrees(call.parameters));
}

}  // namespace isthmus
