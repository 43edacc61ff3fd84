// How far a network that was found is from what was measured.
#pragma once

#include <map>
#include <utility>

#include "algorithms/measuring/discovery.hpp"

namespace isthmus {

/// Adds the routes that were measured, and a note where the network does not explain their latencies. `ways_s`: half a
/// round trip, the lower host first; `rates_Bps`: of messages from one host to another.
void add_residuals(Discovered& found, const std::map<std::pair<int, int>, double>& ways_s,
                   const std::map<std::pair<int, int>, double>& rates_Bps);

}  // namespace isthmus
