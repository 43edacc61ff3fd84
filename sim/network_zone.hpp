// The platform of a network that no SimGrid file describes: read from JSON, found by `discover`, or measured.
#pragma once

#include "algorithms/network/network.hpp"

namespace isthmus {

/// Makes the outermost zone of the process's engine, which must have none yet, with the hosts, links and routes of the
/// network. Routes over forwarders are left out: a SimGrid file has none of them either.
void make_network_zone(const Network& network);

}  // namespace isthmus
