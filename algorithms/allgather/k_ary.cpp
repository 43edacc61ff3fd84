// Gather to rank 0, then broadcast of all blocks from it, both along one k-ary tree over all ranks, as Lowekamp 1995
// compares it with ECO. With degree P - 1 or more it is the star.
//
// Cost: those of gather/k-ary, and of broadcast/k-ary for all blocks.
#include "algorithms/allgather/allgather.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void allgather_k_ary(Program& program, const Call& call) {
  const int size = call.topology.size();
  const Tree tree{TreeShape::k_ary, call.degree()};
  allgather_along(program, places_along(tree, size, 0), call.rank, input(0, block_count(call.problem, call.rank)),
                  {call.problem, size, Buffer::output}, size, call.segment_elements());
}

}  // namespace isthmus
