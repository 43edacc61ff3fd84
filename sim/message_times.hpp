// How long messages take in the simulation, set through SimGrid's own hooks.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <simgrid/s4u/Engine.hpp>

#include "algorithms/network/conditions.hpp"
#include "algorithms/network/network.hpp"
#include "sim/simulate.hpp"

namespace isthmus {

/// Messages of a plan from one rank to another that are received in the order in which they are sent.
struct MessageLane {
  int from_rank, to_rank, lane;
  auto operator<=>(const MessageLane&) const = default;  // NOLINT(modernize-use-nullptr): not a zero
};

/// How a rank spends time otherwise than by messages; for its own actor to call.
struct RankTimes {
  std::function<void(double instant_s)> sleep_until;  ///< takes no messages in meanwhile
  /// Until the acknowledgement of its last send, a synchronous one that is over, has come back; it takes messages in.
  std::function<void(double way_back_s)> await_acknowledgement;
  std::function<void(std::int64_t bytes)> reduce;        ///< combining two operands of so many bytes
  std::function<void(const MessageLane& lane)> sending;  ///< says what its next send is
  /// Its processor takes in the message of this number, from 0 on, of those sent to it in the lane.
  std::function<void(const MessageLane& lane, std::int64_t number)> take_in;
  std::function<void(double instant_s)> start_at;  ///< links change as conditions and profiles say from there on
};

/// Changes of links with time and their ambient traffic. A message that meets a link that is cut for good never
/// arrives: then `unarrived` is called, which does not return.
struct LinkConditions {
  Conditions conditions = {};
  std::function<void()> unarrived = {};
};

/// Makes an uncontended message of m bytes take the latency of its route + (m + header_bytes) / the route's bandwidth,
/// or what its links' classes say, lets messages share links as `queueing` says, and charges processors as the replay
/// does (algorithms/replay/replay.hpp). A host without loopback reaches itself at no cost. Call after the platform is
/// loaded and before the simulation runs; `network` must outlive that. With `fifo` links change with time, and ambient
/// traffic is in the messages' way; nothing is ever lost, what meets a cut link waits there.
RankTimes set_message_times(const simgrid::s4u::Engine& engine, const Network& network, Queueing queueing,
                            const LinkConditions& link_conditions = {});

}  // namespace isthmus
