#include "algorithms/topology/cluster_stripes.hpp"

#include <algorithm>

namespace isthmus {

std::vector<RootedGroup> ClusterStripes::exchanges_inside(int root) const {
  std::vector<RootedGroup> exchanges;
  exchanges.reserve(topology_.depth(rank_) + 1);
  for_each_exchange_inside(root, [&](const RootedGroup& exchange) { exchanges.push_back(exchange); });
  std::ranges::reverse(exchanges);
  return exchanges;
}

}  // namespace isthmus
