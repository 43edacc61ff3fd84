// Discovery of a network by simulated ranks (SimGrid's SMPI).
#pragma once

#include <string>

#include "algorithms/measuring/discovery.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// The network that simulated ranks discover on the platform from which `placed` was read; messages cross shared links
/// in turn. Throws Refused when the simulation fails, BadInput when the file is no SimGrid platform or ranks have
/// a time to answer.
Discovered discover_simulated(const std::string& platform_file, const PlacedNetwork& placed,
                              const DiscoverySettings& settings, double timeout_s);

}  // namespace isthmus
