#include "algorithms/topology/cluster_stripes.hpp"

#include "algorithms/topology/exchange.hpp"

namespace isthmus {

std::vector<RootedGroup> ClusterStripes::exchanges_inside(int root) const {
  // The group of everybody is between the clusters, where there are any.
  const bool has_groups = !topology_.group(0).children.empty();
  std::vector<RootedGroup> parties;
  for (const int group : groups_coordinated_by(topology_, rank_, root))
    if (group != 0 || !has_groups) parties.push_back(participants_at(topology_, group, rank_, root));
  return parties;
}

}  // namespace isthmus
