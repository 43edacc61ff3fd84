// The time that no schedule can beat on a network: latency by distance, bandwidth by minimum cut.
#pragma once

#include "algorithms/collective/problem.hpp"
#include "algorithms/models/network.hpp"

namespace isthmus {

/// Lower bound on the completion time of the collective, in seconds; 0 for one rank or no bytes.
double lower_bound(const Network& network, const Placement& placement, const Problem& problem);

}  // namespace isthmus
