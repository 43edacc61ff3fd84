// Forwarding between emulated hosts without a route (algorithms/forwarding).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/agent/agent_context.hpp"

namespace isthmus {

/// Starts forwarders on the hosts without ranks, where nobody else does; they end with their containers. Adds what
/// makes the drop-in of ranks forward to their environment.
void add_forwarding(const AgentContext& context, std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace isthmus
