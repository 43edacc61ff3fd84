// The gather to all of ECO. Lowekamp 1995, section 5: blocks go along its tree from the leaves to the root, rank 0, and
// all of them back to the leaves, with a pattern of its own in each subnet.
//
// Cost: those of gather/eco and of broadcast/eco for all blocks.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void allgather_eco(Program& program, const Call& call) {
  const GroupTrees trees(call.parameters);
  const int size = call.topology.size();
  allgather_along(program, multilevel_places(call.topology, 0, trees), call.rank,
                  input(0, block_count(call.problem, call.rank)), {call.problem, size, Buffer::output}, size,
                  call.segment_elements());
}

}  // namespace isthmus
