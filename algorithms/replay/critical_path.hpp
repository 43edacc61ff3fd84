// The critical path of a replayed schedule, and its time by cause.
#pragma once

#include <cstdint>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

/// Seconds by cause; the sum is the time of the schedule. The time of a message on the path is split in this order:
struct CostSplit {
  double latency_s = 0;    ///< of its route, and of the way back where its sender waits for the acknowledgement
  double wide_area_s = 0;  ///< (bytes + header) / the least bandwidth of its route, between outermost groups: of the
                           ///< message, and of earlier messages to the same rank that it had to follow
  double local_s = 0;      ///< the same inside an outermost group, or without groups
  double overhead_s =
      0;  ///< processor time of the send and of the receive, at most the remaining time, and of reductions
  double contention_s = 0;  ///< the rest: waiting for links, processors and late receives
  std::int64_t messages = 0;

  double seconds() const { return latency_s + wide_area_s + local_s + overhead_s + contention_s; }
};

/// Goes back from the operation that ends last: from a receive, or a send that was acknowledged, to the message's send,
/// from a send to the operation that its rank waited for last before it was issued. `timeline` is the result of
/// replay() for `schedule` on the placed network.
CostSplit critical_path(const PlacedNetwork& placed, std::int64_t element_bytes, const Schedule& schedule,
                        const Timeline& timeline);

}  // namespace isthmus
