// The multilevel barrier. Karonis 2000, section 3: fan-in and fan-out along binomial trees at every level. Between the
// outermost groups all coordinators send to each other at once: one wide-area latency. The paper's barrier, a reduction
// and a broadcast, has two.
//
// Cost for S groups of P_l ranks: 2 ceil(log2 P_l) (L_l + g_l) + L_w + (S - 1) g_w. Without groups: recursive doubling.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/barrier/barrier.hpp"

namespace isthmus {

void barrier_multilevel(Program& program, const Topology& topology, int rank, Slice own, Slice into) {
  allreduce_multilevel_exchange(program, topology, rank, own, into, true);
}

}  // namespace isthmus
