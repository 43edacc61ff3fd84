// Exact event times of a simulation, beside SimGrid's rounded clock.
#pragma once

#include <set>

#include "algorithms/replay/ticks.hpp"

namespace isthmus {

/// SimGrid merges events within this time of each other, so that its clock is off by up to as much.
inline constexpr double clock_precision_s = 1e-10;

/// What happens at one moment, in this order by the clock: messages arrive, ranks go on whose processors are done, and
/// messages cross links.
inline constexpr double ranks_go_on_after_s = 2 * clock_precision_s;
inline constexpr double links_are_crossed_after_s = 4 * clock_precision_s;

/// Known event times, in ticks. Later times are computed from these and not from the clock, so that errors do not
/// accumulate.
class KnownInstants {
 public:
  void add(double instant_s) { known_.insert(instant_s); }

  /// The known event time nearest to the clock; the clock itself if there is none. The clock never goes back.
  double at(double clock_s) {
    constexpr double nearby_s = links_are_crossed_after_s + clock_precision_s;
    known_.erase(known_.begin(), known_.lower_bound(clock_s - nearby_s));
    const auto later = known_.lower_bound(clock_s);
    double nearest_s = in_ticks(clock_s), min_s = nearby_s;
    if (later != known_.end() && *later - clock_s < min_s) {
      nearest_s = *later;
      min_s = *later - clock_s;
    }
    if (later != known_.begin() && clock_s - *std::prev(later) < min_s) nearest_s = *std::prev(later);
    return nearest_s;
  }

 private:
  std::set<double> known_;
};

}  // namespace isthmus
