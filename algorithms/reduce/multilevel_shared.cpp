// The reduction for long messages across clusters with a separate link between each two: a reduce-scatter in which all
// members of all clusters take a share, then every rank sends its block directly to the receiver. This is
// Rabenseifner's reduction between clusters.
//
// Between S clusters each wide-area link carries m / S bytes each way, and each link to the receiver's cluster m / S
// more. The multilevel reduction sends m bytes over each link to the receiver's cluster. So this has two wide-area
// latencies, but only 2 / S of the transfer time.
#include "algorithms/patterns/striped_reduce_scatter.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void reduce_multilevel_shared(Program& program, const Topology& topology, int rank, const Reduction& reduction,
                              bool in_order) {
  const Slice own = reduction.own, into = reduction.into;
  const bool receives = rank == reduction.receiver;
  const std::vector<Slice> blocks = blocks_in_equal_regions(topology, own);
  const auto in_result = [&](int owner) { return into.part(blocks[owner].offset - own.offset, blocks[owner].count); };
  const Slice sum = receives ? in_result(rank) : program.reserve(blocks[rank].count);
  reduce_scatter_shared(
      program, topology, rank, [&](int owner) { return blocks[owner]; }, sum, in_order);
  // The blocks have their own lane, so that they can arrive at any time.
  program.add_lane();
  if (!receives) {
    program.send(sum, reduction.receiver);
    return;
  }
  for (int other = 0; other < topology.size(); ++other)
    if (other != rank) program.receive(in_result(other), other);
}

}  // namespace isthmus
