// Replay: the discrete-event evaluation of a whole schedule under P-LogP costs, with shared links occupied in turn.
//
// On links with a measured class the functions of the class replace (m + header) / bandwidth, os and or. A gap may
// depend on the number of destinations that have messages on the link.
//
// A rank's processor is busy os(m) for a send and or(m) for a receive, one operation at a time. A message of m bytes
// leaves when its send begins and crosses the links of its route. Its head passes each link in the link's latency. A
// shared link is occupied for (m + header) / bandwidth, first come first served; a fatpipe link takes the same time
// without being occupied. If the transport has frames, messages that arrive at a shared link at the same time are
// interleaved by frames, in order of arrival (frame_interleaver.hpp). Of messages that reach a link at the same moment
// the one from the lower rank goes first; of one rank the one that was sent first. A message has arrived when its tail
// has: without contention L + (m + header) / (least bandwidth) after it left, and never earlier than L after its
// sender's processor is done with it. The receiving processor handles messages in order of arrival, of those that
// arrive together the one whose head came first; it starts on a message when the head has arrived and the processor is
// free. So r(m) = L + g(m) as in P-LogP, where g covers os and or.
//
// A message of up to transport.eager_bytes leaves at once, and its send is complete when the sender's processor is
// done. A larger message leaves when its receive is posted as well, and its send is complete when the message has been
// received. In a one-send-at-a-time lane a send of more than transport.buffered_bytes is complete when the
// acknowledgement has come back: the latency of that route after the message has been received. A reduction takes
// reduction_s_per_byte of processor time for each byte of an operand; copying takes no time. A rank is one thread:
// while it sends or combines none of its lanes advances.
//
// A message without a route that forwarders carry (forwarded_routes.hpp) is relayed by them in pieces, each a message
// of its own on each hop; a forwarder's processor takes the time of a rank's. Messages and bytes of all hops count.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/receive_groups.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

/// What a replay says of a schedule as a whole.
struct ReplayTotals {
  double seconds = 0;  ///< from the common start to the last rank's end
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

struct Replay : ReplayTotals {
  std::vector<double> rank_end_s;   ///< by rank
  Timeline timeline;                ///< only when asked for; by rank, then by operation
  std::vector<double> group_end_s;  ///< by group, only when asked for: when its last receive ended; 0 if it has none
};

/// Called every few milliseconds during long computations; an exception ends the computation.
using Checkpoint = std::function<void()>;

class ReplayMemory;  // replay_memory.hpp

/// What a replay may do besides.
struct ReplayOptions {
  bool with_timeline = false;
  Checkpoint checkpoint = {};
  /// The replay may end as soon as it is known to take longer than this; `seconds` is infinite then, and the ends of
  /// ranks are those so far.
  double limit_s = std::numeric_limits<double>::infinity();
  /// Of the receives; those of a rank are read once its program has been written. Not on a network with forwarded
  /// routes.
  const ReceiveGroups* groups = nullptr;
  /// It serves the network. Of no use where routes are forwarded.
  ReplayMemory* memory = nullptr;
};

/// Throws Refused naming a rank and an operation when the schedule deadlocks, when a send or a receive has no match, or
/// when the two differ in size. Throws BadInput when there is no route for a message. A timeline is that of what is
/// carried(), and fits its programs.
Replay replay(const PlacedNetwork& placed, std::int64_t element_bytes, const ProgramSource& source,
              const ReplayOptions& options);
inline Replay replay(const PlacedNetwork& placed, std::int64_t element_bytes, const ProgramSource& source,
                     bool with_timeline = false, const Checkpoint& checkpoint = {}) {
  return replay(placed, element_bytes, source, ReplayOptions{with_timeline, checkpoint});
}

}  // namespace isthmus
