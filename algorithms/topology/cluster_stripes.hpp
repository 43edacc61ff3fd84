// A message cut into one block for each cluster except the root's, and the ranks that pass the blocks from cluster to
// cluster.
#pragma once

#include <vector>

#include "algorithms/topology/clusters.hpp"
#include "algorithms/topology/exchange.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Seen from one rank. Each block is owned by one cluster. It enters every cluster at one of the cluster's members, its
/// entry; the members take turns as entries. With one cluster there is one block, which no cluster owns. The topology
/// must outlive the object.
class ClusterStripes {
 public:
  ClusterStripes(const Topology& topology, int rank, int root)
      : topology_(topology),
        rank_(rank),
        clusters_(topology, rank),
        root_cluster_(Clusters::number_of(topology, root)) {}

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
  /// Calls visit(exchange) for the same, innermost first.
  template <typename Visit>
  void for_each_exchange_inside(int root, const Visit& visit) const {
    // The exchange at the group of all ranks is between the clusters, where there are clusters.
    const bool has_groups = !topology_.group(0).children.empty();
    for_each_group_coordinated_by(topology_, rank_, root, [&](int group) {
      if (group != 0 || !has_groups) visit(participants_at(topology_, group, rank_, root));
    });
  }

 private:
  const Topology& topology_;
  int rank_;
  Clusters clusters_;
  int root_cluster_;
};

}  // namespace isthmus
