// Clusters (the outermost groups), and runs of consecutive ranks. With an operator that does not commute a group can
// combine only runs of consecutive ranks.
#pragma once

#include <span>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The groups of level 1, and each rank outside them as a cluster of its own, ordered by their lowest ranks. Without
/// groups there is one cluster of all ranks. The same inside any other group. The object holds views: the topology must
/// outlive it.
class Clusters {
 public:
  /// Seen from `rank`, which is in `group`; in time proportional to the number of clusters.
  Clusters(const Topology& topology, int rank, int group = 0);

  /// The cluster of a rank, without the others.
  static int number_of(const Topology& topology, int rank, int group = 0);

  int size() const { return static_cast<int>(ranks_.size()); }
  /// Members, ascending.
  std::span<const int> ranks(int cluster) const { return ranks_[cluster]; }
  /// The cluster of this rank, and its index among the members.
  int self() const { return self_; }
  int index_in_cluster() const { return index_in_cluster_; }

 private:
  std::vector<std::span<const int>> ranks_;
  int self_ = 0;
  int index_in_cluster_ = 0;
};

/// The ranks first ... end - 1.
struct Run {
  int first = 0;
  int end = 0;

  int size() const { return end - first; }
  bool contains(int rank) const { return first <= rank && rank < end; }
  bool operator==(const Run&) const = default;
};

/// The longest run of consecutive ranks around `rank` that share its group at `level`; only the rank itself where it
/// has no group at that level. In time logarithmic in the size of the group.
Run run_around(const Topology& topology, int level, int rank);
/// The runs at `level` that make up a run at the next level outwards, in order.
std::vector<Run> runs_within(const Topology& topology, int level, Run outer);

/// Whether the ranks of a group are consecutive.
bool is_contiguous(const Group& group);
/// Whether the ranks of every child of a group are consecutive.
bool has_contiguous_children(const Topology& topology, int group);

}  // namespace isthmus
