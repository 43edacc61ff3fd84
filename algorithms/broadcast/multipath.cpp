// The multipath broadcast, for long messages across clusters with a separate link between each two. kielmann and
// multilevel send the whole message over S - 1 wide-area links and leave the others idle. Here the message is cut into
// one block for each cluster except the root's. The root sends each cluster its block, and the cluster forwards it to
// the others: the scatter-allgather of Barnett et al. 1994 between clusters. As in Kielmann 2000, section 3.2, each
// segment is forwarded when it arrives.
//
// In a cluster each block enters at a different member, in turn, and goes along a tree from there to the other members,
// so that no coordinator is a bottleneck. Every byte enters each cluster once. Each block has its own lane: a block
// that arrives directly is forwarded while blocks that take two wide-area links are still on their way. The root's
// cluster receives all blocks in the order in which the root sends them, so that one lane is enough there.
//
// Cost for S clusters with links of their own from cluster to cluster: about 2 L_w + g_w(m / (S - 1)) + g_w(m_s) where
// the wide area is the bottleneck, where kielmann takes L_w + g_w(m). If all traffic of a cluster shares one link out
// and one in, the root's link carries m bytes, as with a chain of clusters, but no path has more than two wide-area
// links.
#include <vector>

#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/patterns/tree_broadcast.hpp"
#include "algorithms/topology/cluster_stripes.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

void broadcast_multipath(Program& program, const Topology& topology, int rank, int root, Slice message,
                         std::int64_t segment, int degree) {
  const ClusterStripes blocks(topology, rank, root);
  const Tree tree{TreeShape::k_ary, degree > 0 ? degree : 2};
  const std::vector<BlockSegment> segments = segments_in_turn(message, blocks.size(), segment);

  if (blocks.in_root_cluster()) {
    const std::vector<RootedGroup> inside = blocks.exchanges_inside(root);
    for (const BlockSegment& part : segments)
      for (const RootedGroup& exchange : inside) receive_from_parent(program, exchange, tree, part.slice, 0);
    for (const BlockSegment& part : segments) {
      if (rank == root && blocks.clusters() > 1)
        program.send(part.slice, blocks.entry(blocks.owner(part.block), part.block));
      for (const RootedGroup& exchange : inside) send_to_children(program, exchange, tree, part.slice);
    }
    return;
  }

  for (int number = 0; number < blocks.size(); ++number) {
    const Slice whole = block(message, number, blocks.size());
    const int owner = blocks.owner(number), entry = blocks.entry(blocks.self(), number);
    const bool enters_here = rank == entry, from_root = enters_here && owner == blocks.self();
    if (from_root) {
      program.use_lane(0);
      for (const Slice part : split(whole, segment)) program.receive(part, root);
    }
    program.add_lane();
    if (enters_here && !from_root)
      for (const Slice part : split(whole, segment)) program.receive(part, blocks.entry(owner, number));
    const std::vector<RootedGroup> inside = blocks.exchanges_inside(entry);
    for (const RootedGroup& exchange : inside) receive_from_parent(program, exchange, tree, whole, segment);
    for (const Slice part : split(whole, segment)) {
      if (from_root)
        for (int cluster = 0; cluster < blocks.clusters(); ++cluster)
          if (cluster != owner && cluster != blocks.root_cluster()) program.send(part, blocks.entry(cluster, number));
      for (const RootedGroup& exchange : inside) send_to_children(program, exchange, tree, part);
    }
  }
}

}  // namespace isthmus
