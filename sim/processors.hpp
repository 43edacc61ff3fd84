// What messages and reductions cost the processors of a simulation's ranks.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "algorithms/network/network.hpp"
#include "algorithms/replay/route_table.hpp"
#include "sim/link_queues.hpp"

namespace isthmus {

/// A rank has one processor, which does one thing at a time: os(m) for a send, as soon as it is free; or(m) for each
/// message, in the order in which they arrive, from when the head is there and the processor is free. Ranks go by the
/// number of their actor. Moments are in ticks.
class Processors {
 public:
  explicit Processors(const Network& network);

  bool cost_nothing() const { return !costs_.has_overheads(); }

  struct Work {
    double begin_s, end_s;
  };
  Work send(std::int64_t rank, double now_s, const SimulatedMessage& message);
  Work reduce(std::int64_t rank, double now_s, double bytes);
  /// It does something else until then.
  void leave_until(std::int64_t rank, double now_s, double instant_s);

  /// It is known when the message arrives at the rank.
  void expect(std::int64_t rank, const MessagePointer& message);
  /// What was known does not hold: it arrives later.
  void expect_no_longer(std::int64_t rank, const MessagePointer& message);
  /// A message has arrived; when it is done with it.
  double receive(std::int64_t rank, double now_s, const MessagePointer& message);
  /// When it is done with a message that has arrived, expected; when that arrived, where it is not.
  double taken_in_s(std::int64_t rank, double now_s, const SimulatedMessage& message);
  /// The same as receive() for a message that is still to arrive, and before all others that are.
  double receive_ahead(std::int64_t rank, const MessagePointer& message);

 private:
  using Arrival =
      std::tuple<double, std::int64_t, std::uint64_t, MessagePointer>;  // when, from whom, its sequence number
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
