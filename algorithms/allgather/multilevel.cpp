// The multilevel allgather, with the work shared by all members of a group: Karonis 2000 leaves allgather open, and
// Lowekamp 1995 has a bottleneck at its tree's root. At each level, outermost first, every rank sends what it holds to
// one rank of each other group (relay.hpp); the ranks of a group, which then hold everything together, go on among
// themselves. So every byte enters each cluster once, all wide-area links are busy from the start with no rank sending
// more than its own block over any of them, and no path crosses two.
//
// Unsegmented, what a rank holds travels as one message, packed where its blocks do not lie one behind the other, and
// the ranks of an innermost group exchange by Bruck's algorithm: few messages. With segments every block travels on its
// own, in place, the innermost groups are rings, and what comes from further away is passed on while the rest still
// comes: each level has a lane of its own, so that none waits for another.
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
