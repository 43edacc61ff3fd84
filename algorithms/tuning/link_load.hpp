// What the messages of a plan put on each link, without their times.
#pragma once

#include <cstdint>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// The busiest shared link.
struct LinkLoad {
  /// How long its messages occupy it, headers included: no replay is shorter, however the messages are timed. More
  /// segments only add headers.
  double seconds = 0;
  double header_s = 0;  ///< the part of headers, which grows with the number of segments
};

/// In time proportional to the operations of the programs. Throws BadInput for a missing route.
LinkLoad busiest_link(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes);

}  // namespace isthmus
