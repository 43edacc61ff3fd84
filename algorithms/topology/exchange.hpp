// Where a rank stands in the exchanges of a topology: as parties, without making a list of the others.
#pragma once

#include <optional>
#include <vector>

#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The exchange at a group, seen from one of its participants (Topology::participants) and numbered from the group's
/// coordinator. Throws std::invalid_argument when `rank` takes no part. The topology must outlive the party.
RootedGroup participants_at(const Topology& topology, int group, int rank, int root);

/// The groups in whose exchange `rank` takes part, outermost first: its innermost group, and around it as far as it is
/// the coordinator of the group inside. It is the root of all of them but the first, and of the first when it is
/// `root`.
std::vector<int> groups_coordinated_by(const Topology& topology, int rank, int root);

/// The two layers of Kielmann 2000: the groups of level 1 are the clusters; a rank outside any of them is a cluster of
/// its own. A topology without groups is one cluster.
struct Layers {
  std::optional<RootedGroup>
      coordinators;  ///< numbered from the root; only where `rank` is a coordinator, and not where all is one cluster
  RootedGroup cluster;  ///< numbered from its coordinator
};
Layers layers_at(const Topology& topology, int rank, int root);

}  // namespace isthmus
