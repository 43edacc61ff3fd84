// Processor time of messages and reductions in the simulation.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/route_table.hpp"
#include "sim/link_queues.hpp"

namespace isthmus {

/// A rank has one processor, which does one thing at a time: os(m) for a send, as soon as it is free; or(m) for each
/// message, in order of arrival, from the moment at which the head has arrived and the processor is free. Ranks are
/// identified by their actor's number. Times are in ticks.
class Processors {
 public:
  explicit Processors(const Network& network);

  bool cost_nothing() const { return !costs_.has_overheads(); }

  struct Work {
    double begin_s, end_s;
  };
  Work send(std::int64_t rank, double now_s, const SimulatedMessage& message);
  Work reduce(std::int64_t rank, double now_s, double bytes);
  /// The processor is busy until then.
  void leave_until(std::int64_t rank, double now_s, double instant_s);

  /// Announces the arrival time of a message at the rank.
  void expect(std::int64_t rank, const MessagePointer& message);
  /// Withdraws an announcement: the message arrives later.
  void expect_no_longer(std::int64_t rank, const MessagePointer& message);
  /// A message has arrived; returns when the processor is done with it.
  double receive(std::int64_t rank, double now_s, const MessagePointer& message);
  /// When the processor is done with an announced message that has arrived; the arrival time if it was not announced.
  double taken_in_s(std::int64_t rank, double now_s, const SimulatedMessage& message);

 private:
  /// When the tail arrives, and the head: of tails that arrive together the processor begins with the first head's, as
  /// in the replay. Then the sender and the sequence number.
  using Arrival = std::tuple<double, double, std::int64_t, std::uint64_t, MessagePointer>;
  static Arrival arrival(const MessagePointer& message) {
    return {message->tail_s, message->head_s, message->sender, message->number, message};
  }
  struct Processor {
    double free_s = 0;
    std::set<Arrival> arrivals;
  };

  Processor& of(std::int64_t rank, double now_s);
  void take_in(Processor& processor, SimulatedMessage& message);
  int host(const simgrid::s4u::Host* host) const { return number_of_.at(host->get_name()); }

  RouteTable costs_;
  std::unordered_map<std::string, int> number_of_;
  std::unordered_map<std::int64_t, Processor> processors_;
};

}  // namespace isthmus
