// Other people's traffic on an emulated network.
#pragma once

#include <cstdint>

#include "emulator/conditions.hpp"
#include "emulator/container.hpp"

namespace isthmus {

/// Sends datagrams for ever; `seed` decides what is left to chance. Nobody reads them: the receiver's kernel drops
/// them.
[[noreturn]] void send_traffic(const AmbientTraffic& traffic, const RunningContainer& from,
                               const std::string& to_address, const RunningContainer& to, std::uint64_t seed);

}  // namespace isthmus
