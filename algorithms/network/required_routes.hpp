// Hosts between which every message needs a route of the platform.
#pragma once

#include <span>
#include <string_view>

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Throws BadInput with the names of two of the hosts, and the number of such pairs, unless each has a route to all
/// others. One over forwarders is none. `would_be_right` ends the message.
void require_routes(const Network& network, std::span<const int> hosts, std::string_view would_be_right);

}  // namespace isthmus
