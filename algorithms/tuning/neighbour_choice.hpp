// The choice between the algorithms of collectives among neighbours, by model.
#pragma once

#include <cstdint>

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

}  // namespace isthmus
