// The scatter of ECO. Lowekamp 1995, section 5: blocks go along its tree from the root to the leaves, with a pattern of
// its own in each subnet.
//
// Cost: the sum over the levels of the cost of each group's tree.
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_eco(Program& program, const Call& call) {
  const Blocks all(call.problem, call.topology.size(), Buffer::input);
  scatter_multilevel(program, call.topology, call.rank, call.problem.root,
                     output(0, block_count(call.problem, call.rank)), all, call.segment_elements(),
                     GroupTrees(call.parameters));
}

}  // namespace isthmus
