// The choice between the algorithms of collectives among neighbours, and between orders of ranks, by model.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/mapping/grid.hpp"
#include "algorithms/mapping/neighbour_graph.hpp"
#include "algorithms/neighbourhood/schedules.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

struct NeighbourChoice {
  NeighbourAlgorithm algorithm = NeighbourAlgorithm::direct;
  double seconds = -1;         ///< predicted by replay; negative: nothing was replayed
  double direct_seconds = -1;  ///< the same of the direct algorithm
};

/// The quicker algorithm by replay, for a problem whose counts are all known. aggregated is chosen only where it takes
/// at least 2 % less: its relays have work that the model does not see. Where the neighbours exchange more than
/// `effort_messages` messages nothing is replayed, and the choice is direct. A pure function of the arguments. Throws
/// BadInput for a missing route.
NeighbourChoice choose(const PlacedNetwork& placed, const NeighbourProblem& problem, std::int64_t effort_messages);

/// The rank of each position, of the mappings that cross least (mapping/map_ranks.hpp) the one with which neighbours
/// exchange blocks quickest by replay; position p is rank p unless that is slower.
///
/// What a program exchanges is not known when it asks for another order. So several exchanges are replayed: of short
/// and of long blocks, in a grid with all neighbours at once and along one dimension after the other. Long blocks are
/// in proportion to the weights of a graph, and to the faces of an equally divided cube in a grid. No mapping is taken
/// that is more than 2 % slower than the plain order in any of them; of several, the one of the least product of times.
/// Where neighbours exchange more than `effort_messages` messages, or ranks have no route, nothing is replayed, and the
/// fewest edges decide. A pure function of the arguments. Throws BadInput for more positions than ranks.
std::vector<int> choose_mapping(const PlacedNetwork& placed, const CartesianGrid& grid, std::int64_t effort_messages);
std::vector<int> choose_mapping(const PlacedNetwork& placed, const NeighbourGraph& graph, std::int64_t effort_messages);

}  // namespace isthmus
