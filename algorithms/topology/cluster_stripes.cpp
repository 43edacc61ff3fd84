#include "algorithms/topology/cluster_stripes.hpp"

#include "algorithms/topology/exchange.hpp"

namespace isthmus {

std::vector<RootedGroup> ClusterStripes::exchanges_inside(int root) const {
  // The exchange at the group of all ranks is between the clusters, where there are clusters.
  const bool has_groups = !topology_.group(0).children.empty();
  const std::vector<int> groups = groups_coordinated_by(topology_, rank_, root);
  std::vector<RootedGroup> exchanges;
  exchanges.reserve(groups.size());
  for (const int group : groups)
    if (group != 0 || !has_groups) exchanges.push_back(participants_at(topology_, group, rank_, root));
  return exchanges;
}

}  // namespace isthmus
