// A packing drawn as text: sites, trees and paths with their shares, the load of links, what binds.
#pragma once

#include <string>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/network/network.hpp"
#include "algorithms/tuning/packing_map.hpp"

namespace isthmus {

/// Lines of at most 100 columns while names of links are short. `seconds`: the time of the plan. Long lists are cut,
/// and a line says what is left out.
std::string packing_text(const PackingMap& map, const LowerBound& bound, const Network& network, double seconds,
                         bool colour);

}  // namespace isthmus
