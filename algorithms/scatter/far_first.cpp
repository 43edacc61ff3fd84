// The far-first scatter: linear, with the blocks for other outermost groups first and those for the root's own group
// last. The groups take turns (far_first.hpp), so that the links to all of them are busy from the start; in the order
// of ranks the last site's line would wait until the blocks for all ranks before have left. Only the root has to know
// sizes.
//
// Cost for C sites of s ranks, the root's link (beta_l) at least C - 1 times as fast as the line to a site (alpha_w,
// beta_w), blocks of n bytes: alpha_w + (C - 2) n beta_l + s n beta_w.
#include "algorithms/patterns/far_first.hpp"

#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_far_first(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                       std::int64_t segment) {
  const std::vector<int> others = rank == root ? far_first(topology, root) : std::vector<int>{};
  scatter_straight(program, others, rank, root, own, all, segment);
}

}  // namespace isthmus
