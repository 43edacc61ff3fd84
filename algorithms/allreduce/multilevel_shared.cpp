// The allreduce for long messages across clusters: every member of a cluster takes a share of the wide-area traffic, so
// that no coordinator is a bottleneck. Each rank combines one block of the message over all ranks: first inside its
// cluster, then the sums of all other clusters arrive at once. The blocks are distributed in the same way. This is
// Rabenseifner's reduce-scatter and allgather between clusters, at every level.
//
// Cost for S clusters of P_l ranks, m bytes: every cluster sends 2 (S - 1) / S m over the wide area, the minimum if all
// clusters send equally much, and each member 1 / P_l of that; two wide-area latencies; inside the cluster 2 (P_l - 1)
// messages, m (P_l - 1) / P_l bytes each way twice.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/patterns/striped_reduce_scatter.hpp"

namespace isthmus {

void allreduce_multilevel_shared(Program& program, const Topology& topology, int rank, Slice own, Slice into,
                                 bool in_order) {
  const std::vector<Slice> blocks = blocks_in_equal_regions(topology, into);
  const auto result_of = [&](int owner) { return blocks[owner]; };
  const auto operand_of = [&](int owner) { return own.part(blocks[owner].offset - into.offset, blocks[owner].count); };
  reduce_scatter_shared(program, topology, rank, operand_of, blocks[rank], in_order);
  program.add_lane();
  allgather_shared(program, topology, rank, result_of);
}

}  // namespace isthmus
