// Linear (flat tree) gather. Open MPI, coll/basic: every rank sends its block directly to the root, which has posted
// all its receives. No byte travels twice and none waits for a coordinator. This suits long blocks, over wide-area
// links too.
//
// Cost: Hockney (P - 1) (alpha + beta n); P-LogP L + (P - 1) g(n), at the root's end.
#include "algorithms/gather/gather.hpp"

namespace isthmus {

void gather_linear(Program& program, int size, int rank, int root, Slice own, const Blocks& all, std::int64_t segment) {
  if (rank != root) {
    for (const Slice part : split(own, segment)) program.send(part, root);
    return;
  }
  program.copy(all.of(root), own);
  for (int from = 0; from < size; ++from) {
    if (from == root) continue;
    for (const Slice part : split(all.of(from), segment)) program.receive(part, from);
  }
}

}  // namespace isthmus
