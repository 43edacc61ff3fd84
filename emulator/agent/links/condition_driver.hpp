// The conditions of an emulated network while ranks run on it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/network/conditions.hpp"
#include "emulator/agent/containers/container.hpp"
#include "emulator/agent/links/delay_line.hpp"
#include "emulator/plan/plan.hpp"

namespace isthmus {

/// Socket on which the ranks of a job announce each start: they send the instant (nanoseconds of the monotonic clock,
/// 64 bits) as a packet, and get it back when all links are in their initial state.
inline constexpr const char* condition_socket = "/run/isthmus/conditions";

class ConditionDriver {
 public:
  /// Time 0 of the changes: the construction of the object, or every start announced on `condition_socket`; until the
  /// first start the links are in their initial state.
  enum class Beginning : std::uint8_t { now, each_start };

  /// Impairs the links, starts the ambient traffic, and starts a process that applies the changes in time.
  ConditionDriver(const EmulationPlan& plan, const Network& network, const Conditions& conditions, Beginning beginning,
                  const std::vector<RunningContainer>& containers, HopTable& hops);
  ConditionDriver(const ConditionDriver&) = delete;
  ConditionDriver& operator=(const ConditionDriver&) = delete;
  /// Ends the traffic and the changes.
  ~ConditionDriver();

  /// Whether the ranks must announce their starts.
  bool wants_starts() const { return wants_starts_; }
  /// The links that are cut at the moment, for a message; empty: none.
  std::string cut_now() const;

 private:
  void follow_starts(const Descriptor& listener) const;
  void follow(std::int64_t start_ns) const;
  /// Applies all due changes, from number `next` on; returns the number of the first that is not due.
  std::size_t apply_due(std::size_t next, double now_s) const;
  void apply(const QueueChange& change, std::size_t number) const;
  void start_traffic(std::size_t number);

  const EmulationPlan& plan_;
  const Network& network_;
  const Conditions& conditions_;
  const std::vector<RunningContainer>& containers_;
  HopTable& hops_;
  std::vector<QueueChange> changes_;
  bool wants_starts_;
  std::vector<pid_t> processes_;
  std::atomic<std::int64_t>* start_ns_;  ///< shared with the process that follows the starts; negative: no start yet
};

}  // namespace isthmus
