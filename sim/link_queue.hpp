// One link of a simulated network, crossed by messages in turn.
#pragma once

#include <cstddef>
#include <vector>

namespace isthmus {

/// Messages cross in the order in which they reach the link. A message's whole way is settled when it leaves its
/// sender, so that one that leaves later over a shorter way may reach the link earlier: it then takes the first gap
/// that is long enough before those that arrive after it, and no settled crossing is moved.
class LinkQueue {
 public:
  /// When a message that reaches the link at `arrival_s` and needs it for `duration_s` begins to cross it. `now_s` must
  /// not decrease from call to call, nor lie after an arrival: crossings that ended before it are forgotten.
  double cross(double arrival_s, double duration_s, double now_s);

 private:
  struct Crossing {
    double arrival_s, begin_s, end_s;
  };

  std::vector<Crossing> crossings_;  // by beginning, from `first_` on
  std::size_t first_ = 0;
  double last_arrival_s_ = 0, last_end_s_ = 0;
};

}  // namespace isthmus
