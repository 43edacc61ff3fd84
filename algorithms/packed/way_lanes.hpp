// The lanes of a program along ways: 0 for own data, and one for each way, or for several if there are very many.
#pragma once

#include "algorithms/schedule/program.hpp"

namespace isthmus {

class WayLanes {
 public:
  /// Each lane needs a tag of its own in MPI.
  static constexpr int max_lanes = 256;

  explicit WayLanes(Program& program) : program_(program) {}

  /// Makes the lane of a number current: 0, or a way's from 1 on. All ranks map numbers alike.
  void use(int number) {
    const int lane = number == 0 ? 0 : 1 + (number - 1) % (max_lanes - 1);
    while (static_cast<int>(program_.lanes().size()) <= lane) program_.add_lane();
    program_.use_lane(lane);
  }

 private:
  Program& program_;
};

}  // namespace isthmus
