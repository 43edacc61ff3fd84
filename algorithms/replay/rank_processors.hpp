// The processors of ranks in a replay, each of which does one thing at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace isthmus {

class RankProcessors {
 public:
  RankProcessors() = default;
  explicit RankProcessors(int ranks) : free_s_(ranks), busy_(ranks) {}

  /// A rank that is busy does nothing else: it sends, computes, or waits for the message that it has noticed.
  bool is_busy(int rank) const { return busy_[rank] != 0; }
  void set_busy(int rank, bool busy) { busy_[rank] = busy ? 1 : 0; }

  /// Occupies the processor, and with it the rank, as soon as it is free; returns begin and end.
  std::pair<double, double> occupy(int rank, double now_s, double duration_s) {
    const double begin_s = std::max(now_s, free_s_[rank]);
    free_s_[rank] = begin_s + duration_s;
    set_busy(rank, free_s_[rank] > now_s);
    return {begin_s, free_s_[rank]};
  }

  /// Takes in a message that has arrived, from its head on if it was free then; returns the end.
  double take_in(int rank, double now_s, double head_s, double duration_s) {
    return free_s_[rank] = std::max(now_s, std::max(free_s_[rank], head_s) + duration_s);
  }

 private:
  std::vector<double> free_s_;
  std::vector<std::uint8_t> busy_;
};

}  // namespace isthmus
