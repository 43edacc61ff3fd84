// The layout of shares and blocks in a striped reduce-scatter or allgather (striped_reduce_scatter.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// A slice of a block, and the rank at the other end: the owner of the block, or the rank that has the share.
struct BlockPiece {
  int rank = 0;
  Slice slice;
};

/// Seen from one rank, over the clusters inside a group. The arguments must outlive it.
class StripeLayout {
 public:
  StripeLayout(const Clusters& clusters, const BlockOf& block_of);

  const Clusters& clusters() const { return clusters_; }
  int home() const { return clusters_.self(); }
  /// The members of this rank's cluster.
  std::span<const int> members() const { return clusters_.ranks(home()); }

  /// The other clusters, starting after this rank's own, so that the clusters do not all send to the same one first.
  template <typename Visit>
  void for_each_other_cluster(Visit visit) const {
    for (int i = 1; i < clusters_.size(); ++i) visit((home() + i) % clusters_.size());
  }

  /// A member's inner block: its own block, then its shares of the regions of all other clusters.
  std::vector<BlockPiece> inner_block(int place) const;
  void add_inner_block(int place, std::vector<BlockPiece>& pieces) const;
  /// The pieces into which another cluster's shares cut this rank's own block: each with the member that has the share,
  /// and as a part of `block`, which has as many elements as the own block.
  std::vector<BlockPiece> holders_in(int cluster, Slice block) const;

 private:
  Slice share_of(int cluster, int share, int shares) const;
  void add_share_in(int cluster, int place, std::vector<BlockPiece>& pieces) const;

  /// Where the blocks of a cluster's members begin in its region, and the end of the region.
  std::span<const std::int64_t> begins_in(int cluster) const {
    return std::span(begins_).subspan(first_begin_[cluster], clusters_.ranks(cluster).size() + 1);
  }

  const Clusters& clusters_;
  const BlockOf& block_of_;
  std::vector<std::int64_t> begins_;      // cluster by cluster
  std::vector<std::size_t> first_begin_;  // by cluster
};

/// The elements of all pieces.
std::int64_t count_of(std::span<const BlockPiece> pieces);

}  // namespace isthmus
