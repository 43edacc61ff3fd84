#include "algorithms/topology/cluster_blocks.hpp"

#include "algorithms/topology/exchange.hpp"

namespace isthmus {

std::vector<Party> ClusterBlocks::exchanges_inside(int root) const {
  // The group of everybody is between the clusters, where there are any.
  const bool has_groups = !topology_.group(0).children.empty();
  std::vector<Party> parties;
  for (const int group : exchanges_of(topology_, rank_, root))
    if (group != 0 || !has_groups) parties.push_back(exchange_at(topology_, group, rank_, root));
  return parties;
}

}  // namespace isthmus
