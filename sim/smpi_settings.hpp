// How SimGrid and SMPI are set for a simulation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

using SmpiSettings = std::vector<std::pair<std::string, std::string>>;

/// SimGrid as the network describes the transport, and nothing beside it: no hidden factors on latency or bandwidth, no
/// window that caps a flow, no cross traffic, no time for what the ranks compute.
SmpiSettings smpi_settings(const Transport& transport);

}  // namespace isthmus
