// Where the time of a replayed schedule goes: along the chain of messages that its end waited for.
#pragma once

#include <cstdint>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

/// Seconds by cause; together the time of the schedule. What a message on the path takes is split in this order:
struct CostSplit {
  double latency_s = 0;    ///< of its route
  double wide_area_s = 0;  ///< (bytes + header) / the least bandwidth of its route, between outermost groups: its own,
                           ///< and of those before it to the same rank that it had to follow
  double local_s = 0;      ///< the same inside one of them, or where there are none
  double overhead_s =
      0;  ///< processor time of the send and of the receive, as far as the rest allows, and of reductions
  double contention_s = 0;  ///< the rest: links and processors that others occupied, receives not posted in time
  std::int64_t messages = 0;

  double seconds() const { return latency_s + wide_area_s + local_s + overhead_s + contention_s; }
};

/// Goes back from the last operation to end: a receive to its send, a send to what its rank last waited for before it
/// was issued. `schedule` and its `timeline` on the placed network, from replay().
CostSplit critical_path(const PlacedNetwork& placed, std::int64_t element_bytes, const Schedule& schedule,
                        const Timeline& timeline);

}  // namespace isthmus
