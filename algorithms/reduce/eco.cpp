// The reduction of ECO. Lowekamp 1995, section 5: the tree of its broadcast (section 4), from the leaves to the root,
// with a pattern of its own in each subnet. With an operator that does not commute it is that of multilevel.
//
// Cost: the sum over the levels of the cost of each group's tree.
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void reduce_eco(Program& program, const Call& call) {
  const std::int64_t count = call.problem.count;
  reduce_multilevel(program, call.topology, call.rank,
                    {input(0, count), output(0, count), call.segment_elements(), call.problem.root},
                    call.problem.commutative, GroupTrees(call.parameters));
}

}  // namespace isthmus
