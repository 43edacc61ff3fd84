// The reduce-scatter across clusters, in the spirit of MagPIe (Kielmann 2000, section 3), with the wide-area work
// shared by all members of a cluster: what a cluster has for the ranks of another one is first combined inside it, each
// member combining a share, and then goes straight to its owners. One wide-area latency; every element of every block
// crosses from each other cluster once.
//
// Where the operator does not commute and the ranks of a cluster are not consecutive nothing can be combined inside it,
// and every operand goes straight to its owner: pairwise exchange.
//
// Cost for S clusters of P_l ranks and an operand of m bytes: inside the cluster P_l - 1 messages of m / P_l bytes from
// each member, over the wide area (S - 1) / S m bytes from each cluster.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"
#include "algorithms/reduce_scatter/shares.hpp"

namespace isthmus {

void reduce_scatter_multilevel(Program& program, const Topology& topology, int rank, const Blocks& blocks, Slice into,
                               bool commutative) {
  if (!commutative && !has_contiguous_children(topology, 0)) {
    reduce_scatter_pairwise(program, topology.size(), rank, blocks, into);
    return;
  }
  const Clusters clusters(topology, rank);
  const auto block_of = [&](int cluster, int place) { return blocks.of(clusters.ranks(cluster)[place]); };
  reduce_scatter_shared(program, clusters, block_of, into);
}

}  // namespace isthmus
