// What a replay writes down besides the ends of ranks, if that is asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/replay/replay_engines.hpp"

namespace isthmus {

/// The begin and end of each operation, and when the last receive of each group ended.
class Recording {
 public:
  /// The parts must outlive it.
  Recording(const ReplayInput& parts, bool with_timeline)
      : schedule_(parts.schedule),
        with_timeline_(with_timeline),
        posted_s_(with_timeline ? schedule_.messages.size() : 0),
        sent_s_(posted_s_.size()),
        group_end_s_(parts.groups) {}

  bool has_timeline() const { return with_timeline_; }

  void begin_sending(std::uint32_t message, double now_s) {
    if (with_timeline_) sent_s_[message] = now_s;
  }
  void begin_receiving(std::uint32_t message, double now_s) {
    if (with_timeline_) posted_s_[message] = now_s;
  }
  void end_sending(std::uint32_t message, double now_s) {
    if (!with_timeline_) return;
    timeline_.push_back({schedule_.messages[message].from, schedule_.sending_op[message], sent_s_[message], now_s});
  }
  void end_receiving(std::uint32_t message, double now_s) {
    if (with_timeline_)
      timeline_.push_back({schedule_.messages[message].to, schedule_.receiving_op[message], posted_s_[message], now_s});
    if (group_end_s_.empty()) return;
    if (const int group = schedule_.receiving_group[message]; group >= 0)
      group_end_s_[group] = std::max(group_end_s_[group], now_s);
  }

  Timeline take_timeline() { return std::move(timeline_); }
  std::vector<double> take_group_ends() { return std::move(group_end_s_); }

 private:
  const CompiledSchedule& schedule_;
  const bool with_timeline_;
  std::vector<double> posted_s_, sent_s_;  // by message; only with a timeline
  Timeline timeline_;
  std::vector<double> group_end_s_;
};

}  // namespace isthmus
