// The reduction for long messages across clusters that are joined by links of their own: a reduce-scatter in which all
// members of all clusters take a share, then everybody's block goes straight to the receiver. The cluster-wide form of
// Rabenseifner's reduction.
//
// Between S clusters each wide-area link carries m / S bytes each way, and those to the receiver's cluster m / S more,
// where the multilevel reduction sends m bytes over each link to the receiver's cluster: two wide-area latencies, but
// only 2 / S of the time on the wires.
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
  // The blocks have a lane of their own, so that they can come at any time.
  program.add_lane();
  if (!receives) {
    program.send(sum, reduction.receiver);
    return;
  }
  for (int other = 0; other < topology.size(); ++other)
    if (other != rank) program.receive(in_result(other), other);
}

}  // namespace isthmus
