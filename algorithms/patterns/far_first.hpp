// The order in which a rank sends to all others: far ones first.
#pragma once

#include <vector>

#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// All other ranks, those of other outermost groups first and those of the rank's own innermost group last, so that
/// messages over slow links leave before those that arrive soon anyway. The groups beside each other take turns,
/// beginning with the one after the rank's own, so that the links to all of them are busy from the start. In a group
/// the first is as far on as the rank is in its own, so that ranks do not all send to the same one at once.
std::vector<int> far_first(const Topology& topology, int rank);

}  // namespace isthmus
