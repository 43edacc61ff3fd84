// The far-first alltoall: linear, with the blocks for other outermost groups first and those for the rank's own group
// last. The groups take turns (far_first.hpp), so that the links to all of them are busy from the start. Of other ranks
// a rank has to know only the sizes of the blocks that it exchanges with them.
//
// Cost for C sites of s ranks, a rank's link (beta_l) at least C - 1 times as fast as its share of the lines to other
// sites (alpha_w, beta_w), blocks of n bytes: alpha_w + (C - 2) n beta_l + s^2 n beta_w.
#include "algorithms/patterns/far_first.hpp"

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {

void alltoall_far_first(Program& program, const Topology& topology, int rank, const ExchangedBlocks& blocks) {
  const std::vector<int> others = far_first(topology, rank);
  program.copy(blocks.from(rank), blocks.to(rank));
  for (const int from : others) program.receive(blocks.from(from), from);
  for (const int to : others) program.send(blocks.to(to), to);
}

}  // namespace isthmus
