// What a mapping costs: the weight of the edges that cross between groups, level by level.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/mapping/neighbour_graph.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// `rank_of_position[p]` is the rank that takes position p of the graph. Element l is the weight of the edges between
/// ranks whose innermost common group is of level l: element 0 counts what crosses between the outermost groups, the
/// last one what stays in a group of the innermost level. Of two mappings the one that is less, compared element by
/// element, crosses slow links less often.
std::vector<std::int64_t> crossings(const NeighbourGraph& graph, const Topology& topology,
                                    std::span<const int> rank_of_position);

}  // namespace isthmus
