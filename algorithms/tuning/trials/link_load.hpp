// What the messages of a plan put on each link, without their times.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// What messages put on a shared link.
struct LinkLoad {
  int link = -1;     ///< in Network::links
  double bytes = 0;  ///< without headers
  /// How long its messages occupy it, headers included: no replay is shorter, however the messages are timed. More
  /// segments only add headers.
  double seconds = 0;
  double header_s = 0;  ///< the part of headers, which grows with the number of segments
};

/// Of the shared links that messages use, ascending. In time proportional to the operations of the programs. Throws
/// BadInput for a missing route.
std::vector<LinkLoad> link_loads(const PlacedNetwork& placed, const ProgramSource& programs,
                                 std::int64_t element_bytes);

/// The one with the most seconds; 0 without any. Throws as link_loads().
LinkLoad busiest_link(const PlacedNetwork& placed, const ProgramSource& programs, std::int64_t element_bytes);

}  // namespace isthmus
