// The multilevel allgather, with the work shared by all members of a group. Karonis 2000 does not treat allgather, and
// Lowekamp 1995 has a bottleneck at its tree's root. At each level, outermost first, every rank sends what it holds to
// one rank of each other group (relay.hpp). Then the ranks of a group together hold everything, and the next level
// follows inside the group. So every byte enters each cluster once, all wide-area links are busy from the start, no
// rank sends more than its own block over any of them, and no path crosses two of them.
//
// Unsegmented, a rank sends what it holds as one message, packed if its blocks are not contiguous, and the ranks of an
// innermost group exchange by Bruck's algorithm: few messages. With segments every block is a message of its own, in
// place; the innermost groups are rings, and segments from other groups are forwarded while later ones still arrive.
// Each level has its own lane, so that no level waits for another.
//
// Cost, unsegmented, for C clusters of s ranks with links of their own from cluster to cluster (alpha_w, beta_w) and
// from rank to rank (alpha_l, beta_l): alpha_w + s n beta_w + ceil(log2 s) alpha_l + (s - 1) C n beta_l.
#include "algorithms/allgather/allgather.hpp"

namespace isthmus {

void allgather_multilevel(Program& program, const Topology& topology, int rank, Slice own, const Blocks& all,
                          std::int64_t segment) {
  program.copy(all.of(rank), own);
  allgather_relayed(program, relay_stages(topology, rank), all, segment);
}

}  // namespace isthmus
