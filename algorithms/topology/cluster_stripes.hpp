// A message in a block for each cluster but the root's, which the clusters hand to each other: who deals with which.
#pragma once

#include <vector>

#include "algorithms/topology/clusters.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Seen from one rank. Block b is owned by one cluster, and passes the boundary of every cluster at one of its members,
/// its entry: the members in turn. Where there is but one cluster there is one block, which nobody owns.
/// The topology must outlive it.
class ClusterStripes {
 public:
  ClusterStripes(const Topology& topology, int rank, int root)
      : topology_(topology), rank_(rank), clusters_(topology, rank), root_cluster_(Clusters(topology, root).self()) {}

  /// How many blocks.
  int size() const { return clusters_.size() > 1 ? clusters_.size() - 1 : 1; }
  int clusters() const { return clusters_.size(); }
  /// The cluster of this rank, and of the root.
  int self() const { return clusters_.self(); }
  int root_cluster() const { return root_cluster_; }
  bool in_root_cluster() const { return self() == root_cluster_; }

  int owner(int block) const { return block < root_cluster_ ? block : block + 1; }
  int entry(int cluster, int block) const {
    const std::span<const int> ranks = clusters_.ranks(cluster);
    return ranks[static_cast<std::size_t>(block) % ranks.size()];
  }
  /// The exchanges of this rank inside its cluster, outermost first, when `root` of the same cluster is their root.
  std::vector<RootedGroup> exchanges_inside(int root) const;

 private:
  const Topology& topology_;
  int rank_;
  Clusters clusters_;
  int root_cluster_;
};

}  // namespace isthmus
