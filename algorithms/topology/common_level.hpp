// How near two ranks are to each other.
#pragma once

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The level of the innermost group that holds both ranks: 0 where messages between them cross between the outermost
/// groups.
int common_level(const Topology& topology, int rank, int other);

}  // namespace isthmus
