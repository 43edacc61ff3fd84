// Messages that forwarders pass on, as relayed schedules.
#pragma once

#include <cstdint>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// What the network carries: each forwarder is a rank that relays in pieces of forwarded_piece_bytes.
struct Carried {
  PlacedNetwork placed;
  ProgramSource programs;
};

/// Of a schedule whose messages may take forwarded routes; both unchanged where there are none.
Carried carried(const PlacedNetwork& placed, std::int64_t element_bytes, const ProgramSource& programs);

}  // namespace isthmus
