// The timeline of one schedule: when each rank received what, as the replay found it.
#pragma once

#include <vector>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"
#include "algorithms/topology/topology.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// One message of the schedule, from its issue at the sender to its completion at the receiver.
struct Flight {
  int from = 0, to = 0;
  int number = 0;  ///< sequence number of the messages from `from` to `to`, from 0
  std::int64_t bytes = 0;
  double begin_s = 0, end_s = 0;
};

/// Sends and receives of a timeline matched as the schedule says (by source, destination and lane, first in, first
/// out), ordered by receiver and end.
std::vector<Flight> flights_of(const Schedule& schedule, const Timeline& timeline, std::int64_t element_bytes);

/// One row a rank, grouped by site. A bar is a message: it begins when the message is sent, or when the previous one
/// from the same sender has arrived, and ends at its arrival. A thin line leads from each sender to the first message
/// that it sends to a rank. At most `max_ranks` rows.
Element draw_timeline(const std::vector<Flight>& flights, const PlacedNetwork& placed, double seconds,
                      int max_ranks = 96);

}  // namespace isthmus
