// The multilevel reduce-scatter, in the spirit of MagPIe (Kielmann 2000, section 3), with the work between groups
// shared by all of their members. A group first combines inside what it has for the ranks of another group, each member
// a share; then the sums go directly to their owners. The same at every level. One wide-area latency; every element of
// every block crosses from each other outermost group once.
//
// If the operator does not commute and the ranks of an outermost group are not consecutive, groups cannot combine
// inside, and every operand goes directly to its owner: pairwise exchange.
//
// Cost for S groups of P_l ranks without groups inside, and an operand of m bytes: inside the group P_l - 1 messages of
// m / P_l bytes from each member, over the wide area (S - 1) / S m bytes from each group. Operands are packed once at
// every level.
#include "algorithms/patterns/striped_reduce_scatter.hpp"
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

void reduce_scatter_multilevel(Program& program, const Topology& topology, int rank, const Blocks& blocks, Slice into,
                               bool commutative) {
  const auto block_of = [&](int owner) { return blocks.of(owner); };
  if (commutative || has_contiguous_children(topology, 0))
    reduce_scatter_shared(program, topology, rank, block_of, into, !commutative);
  else
    reduce_scatter_pairwise(program, RootedGroup(topology.size(), rank, 0), block_of, into);
}

}  // namespace isthmus
