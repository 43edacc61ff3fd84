// The lanes of a program along ways.
//
// What a site adds of its own has one lane, and what is passed on one for each way. Each of these is as many lanes as
// there are members that drive a site's edges: a piece that one member drives does not wait for pieces of another.
#pragma once

#include <algorithm>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

class WayLanes {
 public:
  /// Each lane needs a tag of its own in MPI.
  static constexpr int max_lanes = 512;

  /// `heads`: the greatest number of members of a site that drive its edges; `ways`: how many lanes are asked for by
  /// number. The same on all ranks, so that the two ends of a message find the same lane. Where there are too many,
  /// pieces of several members share a lane; then several ways do.
  WayLanes(Program& program, int heads, int ways)
      : program_(program), heads_(std::clamp(heads, 1, std::clamp(max_lanes / (ways + 1), 1, max_heads))) {}

  /// Makes a lane current: of own data, or of a way; `head` is the position of the driving member in the sender's site.
  void use_own(int head) { use(own(head)); }
  /// The lane of own data.
  int own(int head) const { return head % heads_; }
  void use_way(int way, int head) { use(heads_ + (way * heads_ + head % heads_) % (max_lanes - heads_)); }

 private:
  void use(int lane) {
    while (static_cast<int>(program_.lanes().size()) <= lane) program_.add_lane();
    program_.use_lane(lane);
  }

  static constexpr int max_heads = 8;

  Program& program_;
  const int heads_;
};

}  // namespace isthmus
