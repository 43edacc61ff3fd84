// Mapping: which rank takes which position of a grid or graph, so that slow links are crossed as seldom as can be.
//
// Both functions return the rank of each position. They depend on topology and graph alone, so that every rank finds
// the same mapping without communication. The outermost groups divide the positions among each other such that the
// fewest edges cross between them, then the groups inside each of them divide its part, and so on. The mapping that
// gives position p to rank p is kept unless another crosses less (crossings.hpp).
//
// A grid is cut into blocks of the sizes of the groups where planes can do that, which is best for groups of equal
// sizes; where they cannot, it is divided like a general graph (partition_graph.hpp).
//
// With fewer positions than ranks the largest groups are used, either filled or each as far as the others; the ranks
// that are left over have no position.
#pragma once

#include <vector>

#include "algorithms/mapping/grid.hpp"
#include "algorithms/mapping/neighbour_graph.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Throws BadInput when there are more positions than ranks.
std::vector<int> map_grid(const CartesianGrid& grid, const Topology& topology);
std::vector<int> map_graph(const NeighbourGraph& graph, const Topology& topology);

}  // namespace isthmus
