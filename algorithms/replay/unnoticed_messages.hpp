// The messages that have arrived at ranks with several lanes, until the ranks notice them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/message_state.hpp"
#include "algorithms/replay/ready_lanes.hpp"

namespace isthmus {

/// Ranks may have hundreds of lanes and of such messages. So lanes that may wait for one of them are marked, when the
/// message arrives and when the lane comes to wait, and only these are looked at.
class UnnoticedMessages {
  using enum MessageState::Flag;

 public:
  UnnoticedMessages() = default;
  /// Marks the messages that lanes wait for as awaited.
  explicit UnnoticedMessages(CompiledSchedule& schedule)
      : schedule_(&schedule), begin_(schedule.messages.size() + 1), looked_at_(schedule.lane_begin.size() - 1) {
    for_each_wait([&](std::uint32_t, std::uint32_t message) {
      schedule.messages[message].done |= awaited_;
      ++begin_[message + 1];
    });
    for (std::size_t message = 1; message < begin_.size(); ++message) begin_[message] += begin_[message - 1];
    lanes_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for_each_wait([&](std::uint32_t lane, std::uint32_t message) { lanes_[next[message]++] = lane; });
    for (std::uint32_t lane = 0; lane < looked_at_.size(); ++lane) marked_.remove(lane);
  }

  /// A message that is awaited has arrived, and its receive is posted.
  void arrive(std::uint32_t message) {
    for (std::uint32_t at = begin_[message]; at < begin_[message + 1]; ++at) marked_.add(lanes_[at]);
  }

  /// The lane waits at this step, and for the steps after it that are waits too.
  void come_to_wait(std::uint32_t lane, std::uint32_t step) {
    if (step < looked_at_[lane]) return;
    for (; step < schedule_->lane_begin[lane + 1] && is_wait(step); ++step)
      if (is_to_notice(step)) marked_.add(lane);
    looked_at_[lane] = step;
  }

  /// The rank notices the first message that one of its lanes waits for next, in the order of lanes and of their steps.
  /// No value if there is none. `next` is the next step of each lane.
  std::optional<std::uint32_t> notice(int rank, const std::vector<std::uint32_t>& next) {
    const std::uint32_t first = schedule_->first_lane(rank), end = schedule_->first_lane(rank + 1);
    while (const std::optional<std::uint32_t> lane = marked_.next(first, first, end)) {
      for (std::uint32_t step = next[*lane]; step < schedule_->lane_begin[*lane + 1] && is_wait(step); ++step) {
        if (!is_to_notice(step)) continue;
        const std::uint32_t message = schedule_->steps[step].message();
        schedule_->messages[message].done |= noticed;
        return message;
      }
      marked_.remove(*lane);
    }
    return std::nullopt;
  }

 private:
  template <typename Visit>
  void for_each_wait(const Visit& visit) const {
    for (std::uint32_t lane = 0; lane < looked_at_.size(); ++lane)
      for (std::uint32_t step = schedule_->lane_begin[lane]; step < schedule_->lane_begin[lane + 1]; ++step)
        if (schedule_->steps[step].kind() == Step::wait_received) visit(lane, schedule_->steps[step].message());
  }

  bool is_wait(std::uint32_t step) const {
    const Step::Kind kind = schedule_->steps[step].kind();
    return kind == Step::wait_received || kind == Step::wait_sent;
  }
  bool is_to_notice(std::uint32_t step) const {
    const Step one = schedule_->steps[step];
    return one.kind() == Step::wait_received &&
           (schedule_->messages[one.message()].done & (arrived | posted | noticed)) == (arrived | posted);
  }

  CompiledSchedule* schedule_ = nullptr;
  std::vector<std::uint32_t> begin_, lanes_;  // by message: the lanes that wait for it
  std::vector<std::uint32_t> looked_at_;      // by lane: the end of the waits that were looked at last
  ReadyLanes marked_{looked_at_.size()};      // that may have a message to notice
};

}  // namespace isthmus
