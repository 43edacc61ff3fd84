// The lanes of a program along ways.
//
// Data that a rank has from the start have one lane, so that they leave in the order in which they are due. What a rank
// passes on inside its site has another, and what comes from or goes to other sites one for each way. Each of these is
// as many lanes as there are members that drive a site's edges: a piece that one member drives does not wait for pieces
// of another.
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
      : program_(program), heads_(std::clamp(heads, 1, std::clamp((max_lanes - 1) / (ways + 1), 1, max_heads))) {}

  /// The lanes of data that a rank has from the start; of what it passes on inside its site; and of a way. `head` is
  /// the position of the driving member in the sender's site.
  static constexpr int start() { return 0; }
  int own(int head) const { return 1 + head % heads_; }
  int way(int number, int head) const {
    return 1 + heads_ + (number * heads_ + head % heads_) % (max_lanes - 1 - heads_);
  }

  /// Makes a lane current.
  void use(int lane) {
    while (static_cast<int>(program_.lanes().size()) <= lane) program_.add_lane();
    program_.use_lane(lane);
  }

 private:
  static constexpr int max_heads = 8;

  Program& program_;
  const int heads_;
};

}  // namespace isthmus
