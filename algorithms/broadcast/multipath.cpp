// The multipath broadcast, for long messages across clusters that are joined by links of their own: kielmann and
// multilevel send the whole message over S - 1 wide-area links and leave the others idle. Here the message is cut into
// a block for each cluster but the root's. The root sends each cluster its block, and the cluster hands it on to the
// others: the scatter-allgather of Barnett et al. 1994 between clusters, with the idea of Kielmann 2000, section 3.2,
// that coordinators forward each segment as it comes.
//
// In a cluster each block comes in at a member of its own, in turn, and goes on along a tree from there to the others,
// so that no coordinator is a bottleneck. Every byte enters each cluster once. Blocks have lanes of their own: what
// comes directly is forwarded while what takes two wide-area links is still on its way. In the root's cluster, which
// gets all blocks in the order in which the root sends them, one lane will do.
//
// Cost for S clusters with links of their own from cluster to cluster: about 2 L_w + g_w(m / (S - 1)) + g_w(m_s) where
// the wide area is the bottleneck, where kielmann takes L_w + g_w(m). With one link for each cluster, out and in, that
// all its traffic shares, the root's carries m bytes, as with a chain of clusters, but no path is longer than two.
#include <algorithm>
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
      for (const RootedGroup& party : inside) receive_from_parent(program, party, tree, part.slice, 0);
    for (const BlockSegment& part : segments) {
      if (rank == root && blocks.clusters() > 1)
        program.send(part.slice, blocks.entry(blocks.owner(part.block), part.block));
      for (const RootedGroup& party : inside) send_to_children(program, party, tree, part.slice);
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
    for (const RootedGroup& party : inside) receive_from_parent(program, party, tree, whole, segment);
    for (const Slice part : split(whole, segment)) {
      if (from_root)
        for (int cluster = 0; cluster < blocks.clusters(); ++cluster)
          if (cluster != owner && cluster != blocks.root_cluster()) program.send(part, blocks.entry(cluster, number));
      for (const RootedGroup& party : inside) send_to_children(program, party, tree, part);
    }
  }
}

}  // namespace isthmus
