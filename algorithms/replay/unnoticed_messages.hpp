// The messages that have arrived at ranks with several lanes, until the ranks notice them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/replay/compiled_schedule.hpp"
#include "algorithms/replay/message_state.hpp"
#include "algorithms/schedule/ready_lanes.hpp"

namespace isthmus {

/// Ranks may have hundreds of lanes and of such messages. So lanes that may wait for one of them are marked, when the
/// message arrives and when the lane comes to wait, and only these are looked at.
class UnnoticedMessages {
  using enum MessageState::Flag;

 public:
  UnnoticedMessages() = default;
  /// Marks the messages that lanes wait for as awaited.
  explicit UnnoticedMessages(CompiledSchedule& schedule)
      : schedule_(&schedule), begin_(schedule.messages.size() + 1), marked_(schedule.lane_begin.size() - 1) {
    for_each_wait([&](std::uint32_t, std::uint32_t message) {
      schedule.messages[message].done |= awaited_;
      ++begin_[message + 1];
    });
    for (std::size_t message = 1; message < begin_.size(); ++message) begin_[message] += begin_[message - 1];
    lanes_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for_each_wait([&](std::uint32_t lane, std::uint32_t message) { lanes_[next[message]++] = lane; });
    for (std::uint32_t lane = 0; lane < lanes_of(schedule); ++lane) marked_.remove(lane);
  }

  /// To be called when a message has arrived and when its receive is posted. Those that count are those for which both
  /// holds and which are awaited.
  void add(std::uint32_t number, const Message& message) {
    constexpr std::uint8_t all = arrived | posted | awaited_;
    if ((message.done & all) != all) return;
    for (std::uint32_t at = begin_[number]; at < begin_[number + 1]; ++at) marked_.add(lanes_[at]);
  }

  /// The lane waits at this step. Like in the executor, it waits for one message after the other.
  void come_to_wait(std::uint32_t lane, std::uint32_t step) {
    if (is_to_notice(step)) marked_.add(lane);
  }

  /// The rank notices the message that the first of its lanes waits for. No value if there is none. `next` is the next
  /// step of each lane.
  std::optional<std::uint32_t> notice(int rank, const std::vector<std::uint32_t>& next) {
    const std::uint32_t first = schedule_->first_lane(rank), end = schedule_->first_lane(rank + 1);
    while (const std::optional<std::uint32_t> lane = marked_.next(first, first, end)) {
      if (next[*lane] < schedule_->lane_begin[*lane + 1] && is_to_notice(next[*lane])) {
        const std::uint32_t message = schedule_->steps[next[*lane]].message();
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
    for (std::uint32_t lane = 0; lane < lanes_of(*schedule_); ++lane)
      for (std::uint32_t step = schedule_->lane_begin[lane]; step < schedule_->lane_begin[lane + 1]; ++step)
        if (schedule_->steps[step].kind() == Step::wait_received) visit(lane, schedule_->steps[step].message());
  }

  static std::size_t lanes_of(const CompiledSchedule& schedule) { return schedule.lane_begin.size() - 1; }
  bool is_to_notice(std::uint32_t step) const {
    const Step one = schedule_->steps[step];
    return one.kind() == Step::wait_received &&
           (schedule_->messages[one.message()].done & (arrived | posted | noticed)) == (arrived | posted);
  }

  CompiledSchedule* schedule_ = nullptr;
  std::vector<std::uint32_t> begin_, lanes_;  // by message: the lanes that wait for it
  ReadyLanes marked_;                         // that may have a message to notice
};

}  // namespace isthmus
