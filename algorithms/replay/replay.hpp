// Replay: the discrete-event evaluation of a whole schedule under P-LogP costs, with shared links occupied in turn.
//
// Where the network has measured classes of links, their functions take the place of (m + header) / bandwidth, of os
// and of or; a gap may depend on how many destinations have messages on the link.
//
// A rank's processor is busy os(m) for a send and or(m) for a receive, one operation at a time. A message of m bytes
// leaves when its send begins and crosses the links of its route. Its head passes each link in the link's latency. A
// shared link is occupied for (m + header) / bandwidth, by whoever comes first; a fatpipe link takes the same time
// without being occupied. Where the transport has frames, messages that come to a shared link side by side take turns
// by frames, in the order in which these come (interleaver.hpp). Of messages that reach a link at the same moment that
// of the lower rank goes first, of one rank that which was sent first. The message has arrived when its tail has come
// through: without contention L + (m + header) / (least bandwidth) after it left, and never before its sender's
// processor is done with it plus L. The receiving processor, which sees to messages in the order in which they arrive,
// starts on it when the head is there and it is free. So r(m) = L + g(m) as in P-LogP, where g covers os and or.
//
// Up to transport.eager_bytes a message leaves at once, and its send is complete when the sender's processor is done;
// beyond, it leaves when its receive is posted too, and the send is complete when the message has been received. In a
// one-send-at-a-time lane a send beyond transport.buffered_bytes is complete when the acknowledgement has travelled
// back: the latency of that route after the message has been received. A reduction takes the processor
// reduction_s_per_byte for each byte of an operand; copying takes no time. As long as a rank sends or combines, none of
// its lanes goes on: it is one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

struct Replay {
  double seconds = 0;              ///< common start to the last rank's end
  std::vector<double> rank_end_s;  ///< by rank
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  Timeline timeline;  ///< only when asked for; by rank, then by operation
};

/// What long work calls every few milliseconds; what it throws ends the work.
using Checkpoint = std::function<void()>;

/// Throws Refused naming a rank and an operation when the schedule cannot complete: it deadlocks, a send or a receive
/// has no match, or the two differ in size. Throws BadInput when there is no route for a message.
Replay replay(const PlacedNetwork& placed, std::int64_t element_bytes, const ProgramSource& source,
              bool with_timeline = false, const Checkpoint& checkpoint = {});

}  // namespace isthmus
