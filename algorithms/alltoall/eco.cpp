// The all-to-all of ECO. Lowekamp 1995, section 5: along its tree from the leaves to the root, rank 0, and back, with a
// pattern of its own in each subnet. A block turns round at the first rank that has its destination below it, so that
// blocks for the own subnet stay there; the root's bottleneck of the paper (section 7) remains for all others.
// alltoall/multilevel has none.
//
// Cost for S subnets of s ranks: the root's link carries 2 (S - 1) s (S s - s) n bytes at least.
#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

void alltoall_eco(Program& program, const Call& call) {
  const GroupTrees trees(call.parameters);
  alltoall_along(program, multilevel_places(call.topology, 0, trees), call.topology.size(), call.rank, call.problem);
}

}  // namespace isthmus
