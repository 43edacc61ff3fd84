// Discovering a network between ranks that SimGrid's SMPI simulates.
#pragma once

#include <string>

#include "algorithms/measuring/discovery.hpp"

namespace isthmus {

/// The network that ranks find who are placed on the platform which `network` was read from; messages cross shared
/// links in turn. Throws Refused when the simulation fails, BadInput when the file is no SimGrid platform.
Network discover_simulated(const std::string& platform_file, const Network& network, const Placement& placement,
                           const DiscoverySettings& settings, double timeout_s);

}  // namespace isthmus
