// Measures what a substrate can do, on links of many latencies and rates.
#pragma once

#include "emulator/client/emulate.hpp"

namespace isthmus {

/// The network that is measured: one host with a link of its own to each of the others. One part of the links differs
/// in latency, 1 to 200 ms, the other in rate, 1 to 500 Mbit/s of payload.
Network self_test_network();

/// What the probe measures on every link of that network, within tolerance or not. Throws as emulate() does.
AgentReport self_test(const EmulationOptions& options);

}  // namespace isthmus
