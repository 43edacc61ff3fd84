// How the blocks of a group's members are shared between the groups inside it (shares.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// A slice of a block, and the rank at the other end: the owner of the block, or whose share it is.
struct BlockPiece {
  int rank = 0;
  Slice slice;
};

/// Seen from one rank, over the clusters inside a group. `block_of` must outlive it.
class StripeLayout {
 public:
  StripeLayout(const Clusters& clusters, const BlockOf& block_of);

  const Clusters& clusters() const { return clusters_; }
  int home() const { return clusters_.self(); }
  /// The members of this rank's cluster.
  std::span<const int> members() const { return clusters_.ranks(home()); }

  /// The other clusters, beginning behind this rank's own, so that not all turn to the same one at once.
  template <typename Visit>
  void for_each_other_cluster(Visit visit) const {
    for (int i = 1; i < clusters_.size(); ++i) visit((home() + i) % clusters_.size());
  }

  /// The shares of a member of this rank's cluster in another cluster's region.
  std::vector<BlockPiece> share_in(int cluster, int place) const;
  /// Its own block, and then its shares in the regions of all other clusters: one block inside the cluster.
  std::vector<BlockPiece> inner_block(int place) const;
  void add_inner_block(int place, std::vector<BlockPiece>& pieces) const;
  /// The pieces of this rank's own block as another cluster's members share them: each with the member that it is the
  /// share of, and as a part of `block`, which has as many elements as the own block.
  std::vector<BlockPiece> holders_in(int cluster, Slice block) const;

 private:
  Slice share_of(int cluster, int share, int shares) const;
  void add_share_in(int cluster, int place, std::vector<BlockPiece>& pieces) const;

  Clusters clusters_;
  const BlockOf& block_of_;
  std::vector<std::vector<std::int64_t>> begins_;  // by cluster: of its members' blocks in its region, and its end
};

/// The elements of all pieces.
std::int64_t count_of(std::span<const BlockPiece> pieces);

}  // namespace isthmus
