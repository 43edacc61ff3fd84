#include "algorithms/patterns/striped_reduce_scatter.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/patterns/pairwise_reduce_scatter.hpp"
#include "algorithms/patterns/stripe_layout.hpp"

namespace isthmus {
namespace {

/// The group of this rank's cluster; -1 if the rank is its only member.
int child_of(const Topology& topology, int group, int rank) {
  const int child = topology.group_at(rank, topology.group(group).level + 1);
  return child == group || topology.group(child).ranks.size() == 1 ? -1 : child;
}

/// The inner blocks of a cluster's members, contiguous in scratch.
class InnerBlocks {
 public:
  InnerBlocks(Program& program, const StripeLayout& layout) : members_(layout.members()) {
    begins_.reserve(members_.size() + 1);
    first_pieces_.reserve(members_.size() + 1);
    pieces_.reserve(members_.size() * 2 * static_cast<std::size_t>(layout.clusters().size()));
    std::int64_t count = 0;
    for (std::size_t place = 0; place < members_.size(); ++place) {
      begins_.push_back(count);
      first_pieces_.push_back(pieces_.size());
      layout.add_inner_block(static_cast<int>(place), pieces_);
      count += count_of(std::span(pieces_).subspan(first_pieces_.back()));
    }
    begins_.push_back(count);
    first_pieces_.push_back(pieces_.size());
    packed_ = program.reserve(count);
  }

  Slice block_of(int rank) const {
    const auto place = std::lower_bound(members_.begin(), members_.end(), rank) - members_.begin();
    return packed_.part(begins_[place], begins_[place + 1] - begins_[place]);
  }
  /// Calls visit(packed, piece) for the pieces of a member's inner block.
  template <typename Visit>
  void for_each_piece(int place, Visit visit) const {
    std::int64_t at = begins_[place];
    for (std::size_t i = first_pieces_[place]; i < first_pieces_[place + 1]; ++i) {
      const BlockPiece& piece = pieces_[i];
      visit(packed_.part(at, piece.slice.count), piece);
      at += piece.slice.count;
    }
  }
  int size() const { return static_cast<int>(members_.size()); }

 private:
  std::span<const int> members_;
  std::vector<BlockPiece> pieces_;         // in the order of members
  std::vector<std::size_t> first_pieces_;  // by member
  std::vector<std::int64_t> begins_;       // by member
  Slice packed_;
};

void reduce_scatter_within(Program& program, const Topology& topology, int group, int rank, const BlockOf& block_of,
                           Slice into, bool in_order) {
  const Group& all = topology.group(group);
  if (all.children.empty() || (in_order && !has_contiguous_children(topology, group))) {
    reduce_scatter_pairwise(program, RootedGroup(all.ranks, rank, all.ranks.front()), block_of, into);
    return;
  }
  const Clusters clusters(topology, rank, group);
  const int child = child_of(topology, group, rank);
  if (clusters.size() == 1) {
    if (child < 0)
      program.copy(into, block_of(rank));
    else
      reduce_scatter_within(program, topology, child, rank, block_of, into, in_order);
    return;
  }

  const StripeLayout layout(clusters, block_of);
  std::vector<Slice> sums(clusters.size());  // of the own block, by cluster
  layout.for_each_other_cluster([&](int cluster) {
    sums[cluster] = program.reserve(into.count);
    for (const BlockPiece& piece : layout.holders_in(cluster, sums[cluster])) program.receive(piece.slice, piece.rank);
  });

  // The cluster's sums of this rank's own block and of its shares, in this order.
  std::vector<BlockPiece> home = layout.inner_block(clusters.index_in_cluster());
  if (child >= 0) {
    const InnerBlocks inner(program, layout);
    for (int place = 0; place < inner.size(); ++place)
      inner.for_each_piece(place, [&](Slice packed, const BlockPiece& piece) { program.copy(packed, piece.slice); });
    const Slice sum = program.reserve(count_of(home));
    reduce_scatter_within(
        program, topology, child, rank, [&](int member) { return inner.block_of(member); }, sum, in_order);
    std::int64_t at = 0;
    for (BlockPiece& piece : home) {
      piece.slice = sum.part(at, piece.slice.count);
      at += piece.slice.count;
    }
  }
  for (const BlockPiece& piece : std::span(home).subspan(1)) program.send(piece.slice, piece.rank);
  sums[clusters.self()] = home.front().slice;
  combine_in_order(program, sums, clusters.self(), into);
}

void allgather_within(Program& program, const Topology& topology, int group, int rank, const BlockOf& block_of) {
  const Group& all = topology.group(group);
  if (all.children.empty()) {
    const RootedGroup others(all.ranks, rank, rank);
    for (int other = others.size() - 1; other > 0; --other)
      program.receive(block_of(others.rank(other)), others.rank(other));
    for (int other = 1; other < others.size(); ++other) program.send(block_of(rank), others.rank(other));
    return;
  }
  const Clusters clusters(topology, rank, group);
  const int child = child_of(topology, group, rank);
  if (clusters.size() == 1) {
    if (child >= 0) allgather_within(program, topology, child, rank, block_of);
    return;
  }

  const StripeLayout layout(clusters, block_of);
  const auto send_own = [&] {
    layout.for_each_other_cluster([&](int cluster) {
      for (const BlockPiece& piece : layout.holders_in(cluster, block_of(rank))) program.send(piece.slice, piece.rank);
    });
  };
  if (child < 0) {
    const std::vector<BlockPiece> pieces = layout.inner_block(0);
    for (const BlockPiece& piece : std::span(pieces).subspan(1)) program.receive(piece.slice, piece.rank);
    send_own();
    return;
  }
  const InnerBlocks inner(program, layout);
  inner.for_each_piece(clusters.index_in_cluster(), [&](Slice packed, const BlockPiece& piece) {
    if (piece.rank == rank)
      program.copy(packed, piece.slice);
    else
      program.receive(packed, piece.rank);
  });
  send_own();
  allgather_within(program, topology, child, rank, [&](int member) { return inner.block_of(member); });
  for (int place = 0; place < inner.size(); ++place)
    inner.for_each_piece(place, [&](Slice packed, const BlockPiece& piece) {
      if (piece.rank != rank) program.copy(piece.slice, packed);
    });
}

}  // namespace

std::vector<Slice> blocks_in_equal_regions(const Topology& topology, Slice whole) {
  std::vector<Slice> blocks(topology.size());
  const Clusters clusters(topology, 0);
  for (int cluster = 0; cluster < clusters.size(); ++cluster) {
    const Slice region = block(whole, cluster, clusters.size());
    const std::span<const int> ranks = clusters.ranks(cluster);
    for (std::size_t place = 0; place < ranks.size(); ++place)
      blocks[ranks[place]] = block(region, static_cast<int>(place), static_cast<int>(ranks.size()));
  }
  return blocks;
}

void reduce_scatter_shared(Program& program, const Topology& topology, int rank, const BlockOf& block_of, Slice into,
                           bool in_order) {
  reduce_scatter_within(program, topology, 0, rank, block_of, into, in_order);
}

void allgather_shared(Program& program, const Topology& topology, int rank, const BlockOf& block_of) {
  allgather_within(program, topology, 0, rank, block_of);
}

}  // namespace isthmus
