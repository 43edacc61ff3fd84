// Ambient traffic on an emulated network.
#pragma once

#include <string>

#include "algorithms/network/ambient_traffic.hpp"
#include "emulator/agent/containers/container.hpp"

namespace isthmus {

/// Sends datagrams for ever, at the instants of `times` from now on. No program reads them; the receiver's kernel drops
/// them.
[[noreturn]] void send_traffic(AmbientTimes times, const RunningContainer& from, const std::string& to_address,
                               const RunningContainer& to);

}  // namespace isthmus
