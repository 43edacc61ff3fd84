// What would lower a bound: the bound of the network with more bandwidth on a link that makes it.
#pragma once

#include <vector>

#include "algorithms/bounds/lower_bound.hpp"

namespace isthmus {

struct Relief {
  std::vector<int> links;  ///< in Network::links: a binding link, or all of them
  double more_Bps = 0;     ///< more bandwidth on these links together
  double seconds = 0;      ///< the bound then
};

/// The bound with twice the bandwidth on each of the binding links that carry most (up to `max_links`), on those of
/// several hosts together, and on all binding links; what lowers it most first. What does not lower it is left out, so
/// that nothing is left where only latency binds. `bound` is find_lower_bound() of the same.
std::vector<Relief> find_reliefs(const PlacedNetwork& placed, const Problem& problem, const LowerBound& bound,
                                 int max_links = 8);

}  // namespace isthmus
