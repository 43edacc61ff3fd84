// The broadcast of ECO. Lowekamp 1995, section 4: a tree over subnets, the originator at its root, and inside each
// subnet a pattern that suits its network: a star on a shared medium, where messages would only wait for each other, a
// deeper tree on a switch. The paper leaves the pattern to the user; here `patterns` names one for each group
// (tuning/subnet_patterns.hpp finds them).
//
// Cost: the sum over the levels of the cost of each group's tree.
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void broadcast_eco(Program& program, const Call& call) {
  broadcast_multilevel(program, call.topology, call.rank, call.problem.root, output(0, call.problem.count),
                       call.segment_elements(), GroupTrees(call.parameters));
}

}  // namespace isthmus
