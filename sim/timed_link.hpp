// A link that messages cross in turn, whose rate and latency may change with time.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/network/network.hpp"

namespace isthmus {

class TimedLink {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// `steps`: at least one, after a start; the first holds until the second.
  TimedLink(std::vector<LinkStep> steps, bool shared) : steps_(std::move(steps)), shared_(shared) {}

  /// A message crosses the link: its head reaches it at `head_s`, its tail at `tail_s`. On return both are the times at
  /// the other end of the link. Cut-through: the head moves on after the latency; the tail leaves when all bytes have
  /// crossed, but not before it has arrived. A shared link is crossed in turn. Both are `never` when the link is cut
  /// for good before the end.
  void cross(double bytes, double& head_s, double& tail_s) {
    if (shared_) head_s = std::max(head_s, free_s_);
    head_s = open_s(head_s);
    const double crossed_s = crossed(bytes, head_s);
    if (shared_ && crossed_s < never) free_s_ = crossed_s;
    const double left_s = std::max(crossed_s, tail_s);
    tail_s = left_s < never ? left_s + step_at(left_s).latency_s : never;
    head_s = crossed_s < never ? head_s + step_at(head_s).latency_s : never;
  }

  bool is_cut(double at_s) const { return step_at(at_s).bandwidth_Bps <= 0; }
  /// Sets the start of the steps.
  void start_at(double instant_s) { start_s_ = instant_s; }

 private:
  std::size_t number_at(double at_s) const {
    std::size_t number = steps_.size() - 1;
    while (number > 0 && start_s_ + steps_[number].at_s > at_s) --number;
    return number;
  }
  const LinkStep& step_at(double at_s) const { return steps_[number_at(at_s)]; }

  /// The first instant from `at_s` on at which the link is not cut.
  double open_s(double at_s) const {
    std::size_t number = number_at(at_s);
    if (steps_[number].bandwidth_Bps > 0) return at_s;
    while (++number < steps_.size()) {
      if (steps_[number].bandwidth_Bps > 0) return start_s_ + steps_[number].at_s;
    }
    return never;
  }

  /// When `bytes` that begin at `from_s` have crossed.
  double crossed(double bytes, double from_s) const {
    if (from_s == never) return never;
    for (std::size_t number = number_at(from_s);; ++number) {
      const double bandwidth_Bps = steps_[number].bandwidth_Bps;
      const bool last = number + 1 == steps_.size();
      const double room = last ? never : (start_s_ + steps_[number + 1].at_s - from_s) * bandwidth_Bps;
      if (bandwidth_Bps > 0 && bytes <= room) return from_s + bytes / bandwidth_Bps;
      if (last) return never;
      bytes -= room;
      from_s = start_s_ + steps_[number + 1].at_s;
    }
  }

  std::vector<LinkStep> steps_;
  bool shared_;
  double start_s_ = never;  ///< `never`: not started, the first step holds
  double free_s_ = -never;
};

}  // namespace isthmus
