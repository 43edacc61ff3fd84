// The reduction for long messages across clusters that are joined by links of their own: a reduce-scatter in which all
// members of all clusters take a share, then everybody's block goes straight to the receiver. The cluster-wide form of
// Rabenseifner's reduction.
//
// Between S clusters each wide-area link carries m / S bytes each way, and those to the receiver's cluster m / S more,
// where the multilevel reduction sends m bytes over each link to the receiver's cluster: two wide-area latencies, but
// only 2 / S of the time on the wires.
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/reduce_scatter/shares.hpp"

namespace isthmus {

void reduce_multilevel_shared(Program& program, const Topology& topology, int rank, const Reduction& reduction) {
  const Slice own = reduction.own, into = reduction.into;
  const bool receives = rank == reduction.receiver;
  const Clusters clusters(topology, rank);
  const auto block_in = [&](Slice whole, int cluster, int place) {
    return block(block(whole, cluster, clusters.size()), place, static_cast<int>(clusters.ranks(cluster).size()));
  };
  const Slice own_block = block_in(own, clusters.self(), clusters.place());
  // The receiver's other blocks have a lane of their own, so that they can come at any time.
  const Slice sum = receives ? block_in(into, clusters.self(), clusters.place()) : program.reserve(own_block.count);
  reduce_scatter_shared(
      program, clusters, [&](int cluster, int place) { return block_in(own, cluster, place); }, sum);
  program.add_lane();
  if (!receives) {
    program.send(sum, reduction.receiver);
    return;
  }
  for (int cluster = 0; cluster < clusters.size(); ++cluster) {
    const std::span<const int> ranks = clusters.ranks(cluster);
    for (std::size_t place = 0; place < ranks.size(); ++place)
      if (ranks[place] != rank) program.receive(block_in(into, cluster, static_cast<int>(place)), ranks[place]);
  }
}

}  // namespace isthmus
