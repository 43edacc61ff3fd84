// The exchanges of a topology in which a rank takes part, as rooted groups, without a list of the other ranks.
#pragma once

#include <optional>
#include <vector>

#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The exchange at a group, seen from one of its participants (Topology::participants) and numbered from the group's
/// coordinator. Throws std::invalid_argument when `rank` takes no part. The topology must outlive the result.
RootedGroup participants_at(const Topology& topology, int group, int rank, int root);

/// The groups in whose exchange `rank` takes part, outermost first: its innermost group, and each group outwards as
/// long as the rank is the coordinator of the group inside. The rank is the root of all exchanges except the first; it
/// is the root of the first one only if it is `root`.
std::vector<int> groups_coordinated_by(const Topology& topology, int rank, int root);
/// Calls visit(group) for the same groups, innermost first.
template <typename Visit>
void for_each_group_coordinated_by(const Topology& topology, int rank, int root, Visit&& visit) {
  int group = topology.innermost(rank);
  visit(group);
  while (group != 0 && topology.coordinator(group, root) == rank) {
    group = topology.group(group).parent;
    visit(group);
  }
}

/// The two layers of Kielmann 2000: the groups of level 1 are the clusters; a rank outside any of them is a cluster of
/// its own. A topology without groups is one cluster.
struct Layers {
  std::optional<RootedGroup>
      coordinators;     ///< numbered from the root; only if `rank` is a coordinator and there are several clusters
  RootedGroup cluster;  ///< numbered from its coordinator
};
Layers layers_at(const Topology& topology, int rank, int root);

}  // namespace isthmus
