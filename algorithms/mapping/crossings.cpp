#include "algorithms/mapping/crossings.hpp"

#include "algorithms/topology/common_level.hpp"

namespace isthmus {

std::vector<std::int64_t> crossings(const NeighbourGraph& graph, const Topology& topology,
                                    std::span<const int> rank_of_position) {
  std::vector<std::int64_t> weights(static_cast<std::size_t>(topology.levels()) + 1);
  for (int position = 0; position < graph.size(); ++position)
    for (const NeighbourGraph::Edge& edge : graph.edges(position))
      if (edge.to > position)
        weights[common_level(topology, rank_of_position[position], rank_of_position[edge.to])] += edge.weight;
  return weights;
}

}  // namespace isthmus
