// The moments of a simulation as they were computed.
#pragma once

#include <set>

#include "algorithms/replay/ticks.hpp"

namespace isthmus {

/// SimGrid takes events within this of each other as one, so that its clock is off by as much.
inline constexpr double clock_precision_s = 1e-10;

/// Moments at which something is known to happen, in ticks. What follows from it is reckoned from there and not from
/// the clock, so that nothing adds up.
class Instants {
 public:
  void add(double instant_s) { known_.insert(instant_s); }

  /// The moment that the clock means; its own reading where nothing is known. The clock never goes back.
  double at(double clock_s) {
    constexpr double nearby_s = 5 * clock_precision_s;
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
