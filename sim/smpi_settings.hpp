// The settings of SimGrid and SMPI for a simulation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

using SmpiSettings = std::vector<std::pair<std::string, std::string>>;

/// Settings for the network's transport only: no hidden factors on latency or bandwidth, no TCP window, no cross
/// traffic, no time for the ranks' computations.
SmpiSettings smpi_settings(const Transport& transport);

}  // namespace isthmus
