// The multipath reduction, for long messages across clusters with a separate link between each two: the reverse of the
// multipath broadcast. The message is cut into one block for each cluster except the receiver's. Each cluster combines
// each block inside, at a different member for each block, and sends its sum to the cluster that owns the block. The
// owner combines the sums with its own and sends the result to the receiver. So each link between clusters carries at
// most one block. The multilevel reduction sends the whole message over each link to the receiver's cluster, and
// Rabenseifner's a half of it both ways (S = 4).
//
// With segments each segment is forwarded when it is complete. Inside a cluster the segments of all blocks alternate in
// one lane, so that all blocks advance equally; between clusters each block has its own lane.
//
// Cost for S clusters with links of their own from cluster to cluster: about 2 L_w + g_w(m / (S - 1)) + g_w(m_s) where
// the wide area is the bottleneck.
#include <vector>

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/reduce/reduce.hpp"
#include "algorithms/topology/cluster_stripes.hpp"

namespace isthmus {
namespace {

/// Combines two operands, segment by segment; `other` is received from another rank.
struct Incoming {
  Slice slot;
  int from;
};

/// The place of a rank inside its cluster for one block: it combines the children's sums with its own operand, and
/// sends the result to its parent if it has one.
struct Inside {
  std::vector<Incoming> children;
  int parent = -1;
  Slice sum;  // the result; the own operand itself if there are no children
};

Inside inside_of(Program& program, const ClusterStripes& blocks, Tree tree, int entry, Slice own, Slice into) {
  FanIn fan;
  blocks.for_each_exchange_inside(entry, [&](const RootedGroup& exchange) { continue_along(tree, exchange, fan); });
  Inside inside;
  inside.parent = fan.parent;
  inside.children.reserve(fan.after.size());
  for (const int child : fan.after) inside.children.push_back({program.reserve(own.count), child});
  if (inside.children.empty())
    inside.sum = own;
  else
    inside.sum = inside.parent < 0 && !into.empty() ? into : inside.children.front().slot;
  return inside;
}

/// Combines one segment: `into` = `own` and the received operands.
void add_up(Program& program, Slice into, Slice own, const std::vector<Incoming>& coming, std::int64_t first) {
  Slice sum = own;
  for (const Incoming& other : coming) {
    program.reduce(into, sum, other.slot.part(first, own.count));
    sum = into;
  }
}

}  // namespace

void reduce_multipath(Program& program, const Topology& topology, int rank, const Reduction& reduction, int degree) {
  const int root = reduction.receiver;
  const ClusterStripes blocks(topology, rank, root);
  const Tree tree{TreeShape::k_ary, degree > 0 ? degree : 2};
  const auto own_block = [&](int number) { return block(reduction.own, number, blocks.size()); };
  const auto into_block = [&](int number) { return block(reduction.into, number, blocks.size()); };
  const std::vector<BlockSegment> segments = segments_in_turn(reduction.own, blocks.size(), reduction.segment);

  std::vector<Inside> inside;
  for (int number = 0; number < blocks.size(); ++number) {
    const int entry = blocks.in_root_cluster() ? root : blocks.entry(blocks.self(), number);
    inside.push_back(
        inside_of(program, blocks, tree, entry, own_block(number), rank == root ? into_block(number) : Slice{}));
  }
  for (const auto& [number, own] : segments)
    for (const auto& [slot, child] : inside[number].children)
      program.receive(slot.part(own.offset - own_block(number).offset, own.count), child);
  for (const auto& [number, own] : segments) {
    const std::int64_t first = own.offset - own_block(number).offset;
    const Inside& here = inside[number];
    const Slice sum = here.sum.part(first, own.count);
    add_up(program, sum, own, here.children, first);
    if (here.parent >= 0) program.send(sum, here.parent);
  }
  if (blocks.clusters() == 1) {
    if (rank == root && inside.front().children.empty()) program.copy(reduction.into, reduction.own);
    return;
  }

  for (int number = 0; number < blocks.size(); ++number) {
    program.add_lane();
    const Slice sum = inside[number].sum;
    const int owner = blocks.owner(number), owner_entry = blocks.entry(owner, number);
    const auto each_segment = [&](auto&& visit) {
      for (const Slice part : split(sum, reduction.segment)) visit(part.offset - sum.offset, part);
    };
    std::vector<Incoming> coming;
    if (rank == root) {
      coming.push_back({program.reserve(sum.count), owner_entry});
    } else if (rank == owner_entry) {
      for (int cluster = 0; cluster < blocks.clusters(); ++cluster)
        if (cluster != owner && cluster != blocks.root_cluster())
          coming.push_back({program.reserve(sum.count), blocks.entry(cluster, number)});
    } else if (blocks.in_root_cluster() || rank != blocks.entry(blocks.self(), number)) {
      continue;
    }
    each_segment([&](std::int64_t first, Slice part) {
      for (const Incoming& other : coming) program.receive(other.slot.part(first, part.count), other.from);
    });
    const Slice total = rank == root ? into_block(number) : coming.empty() ? sum : coming.front().slot;
    each_segment([&](std::int64_t first, Slice part) {
      add_up(program, total.part(first, part.count), part, coming, first);
      if (rank != root) program.send(total.part(first, part.count), rank == owner_entry ? root : owner_entry);
    });
  }
}

}  // namespace isthmus
