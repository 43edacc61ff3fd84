// Sets the times of messages in the simulation, through SimGrid's own hooks.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <simgrid/s4u/Engine.hpp>

#include "algorithms/network/conditions.hpp"
#include "algorithms/network/network.hpp"
#include "sim/simulate.hpp"

namespace isthmus {

/// A channel of a plan from one rank to another; its messages are received in the order in which they are sent.
struct MessageLane {
  int from_rank, to_rank, lane;
  auto operator<=>(const MessageLane&) const = default;  // NOLINT(modernize-use-nullptr): not a zero
};

/// Time that a rank spends other than by messages; to be called by its own actor.
struct RankTimes {
  std::function<void(double instant_s)> sleep_until;  ///< handles no messages meanwhile
  /// Waits until the acknowledgement of its last synchronous send in the lane, which has ended, has come back; handles
  /// messages meanwhile.
  std::function<void(const MessageLane& lane, double way_back_s)> await_acknowledgement;
  std::function<void(std::int64_t bytes)> reduce;                          ///< combines two operands of `bytes` each
  std::function<void(const MessageLane& lane, bool synchronous)> sending;  ///< announces its next send
  /// It posts the receive of the message with this number (from 0) of those sent to it in the lane.
  std::function<void(const MessageLane& lane, std::int64_t number)> posting;
  /// Whether this message, whose receive is posted, has come by now.
  std::function<bool(const MessageLane& lane, std::int64_t number)> has_come;
  /// Its processor handles this message.
  std::function<void(const MessageLane& lane, std::int64_t number)> take_in;
  std::function<void(double instant_s)> start_at;  ///< the start of conditions and profiles of links
};

/// Changes of links with time, and ambient traffic. A message at a link that is cut for good never arrives: then
/// `unarrived` is called, which does not return.
struct LinkConditions {
  Conditions conditions = {};
  std::function<void()> unarrived = {};
};

/// Makes an uncontended message of m bytes take the latency of its route + (m + header_bytes) / the route's bandwidth,
/// or the time by the classes of its links. Messages share links according to `queueing`; processors take time as in
/// the replay (algorithms/replay/replay.hpp). On a host without loopback messages to itself cost nothing. Call after
/// the platform is loaded and before the simulation runs; `network` must outlive the simulation. With `fifo` links
/// change with time, and ambient traffic competes with messages. Nothing is lost: a message at a cut link waits there.
RankTimes set_message_times(const simgrid::s4u::Engine& engine, const Network& network, Queueing queueing,
                            const LinkConditions& link_conditions = {});

}  // namespace isthmus
