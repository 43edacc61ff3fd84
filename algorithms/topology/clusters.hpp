// The outermost groups as equals: clusters, and runs of consecutive ranks, which is what an operator that does not
// commute lets a group combine.
#pragma once

#include <span>
#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The groups of level 1, and the ranks outside any as clusters of their own, by their lowest ranks; one cluster of
/// everybody where there are no groups. The same inside any other group. Holds views: the topology must outlive it.
class Clusters {
 public:
  /// Seen from `rank`, which is in `group`; in time proportional to the number of clusters.
  Clusters(const Topology& topology, int rank, int group = 0);

  int size() const { return static_cast<int>(ranks_.size()); }
  /// Members, ascending.
  std::span<const int> ranks(int cluster) const { return ranks_[cluster]; }
  /// The cluster of this rank, and its place in it.
  int self() const { return self_; }
  int place() const { return place_; }

 private:
  std::vector<std::span<const int>> ranks_;
  int self_ = 0;
  int place_ = 0;
};

/// The ranks first ... end - 1.
struct Run {
  int first = 0;
  int end = 0;

  int size() const { return end - first; }
  bool contains(int rank) const { return first <= rank && rank < end; }
  bool operator==(const Run&) const = default;
};

/// The longest run of consecutive ranks around `rank` that share its group at `level`; the rank alone where it is not
/// that deep. In time logarithmic in the size of the group.
Run run_around(const Topology& topology, int level, int rank);
/// The runs at `level` of which a run at the level outside it is made, in order.
std::vector<Run> runs_within(const Topology& topology, int level, Run outer);

/// Whether the ranks of a group are consecutive.
bool is_contiguous(const Group& group);
/// Whether those of every child of a group are.
bool has_contiguous_children(const Topology& topology, int group);

}  // namespace isthmus
