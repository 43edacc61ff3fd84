// What a substrate can do: links of many latencies and rates, asked for and measured.
#pragma once

#include <vector>

#include "emulator/client/emulate.hpp"

namespace isthmus {

/// The network that is measured: a host joined to each of the others by a link of its own. One part of them differs in
/// latency, 1 to 200 ms, the other in rate, 1 to 500 Mbit/s of payload.
Network self_test_network();

/// What the probe finds on every link of that network, out of tolerance or not. Throws as emulate() does.
AgentReport self_test(const EmulationOptions& options);

}  // namespace isthmus
