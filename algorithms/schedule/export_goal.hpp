// A schedule in the text form of GOAL, which LogGOPSim's txt2bin reads.
// Hoefler, Siebert, Lumsdaine: Group Operation Assembly Language, ICPP 2009; Hoefler, Schneider, Lumsdaine: LogGOPSim,
// LSAP 2010.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// What GOAL needs beyond the schedule. Times of local operations are rounded to whole nanoseconds.
struct GoalCosts {
  std::int64_t element_bytes = 1;
  double reduce_s_per_byte = 0;
  double copy_s_per_byte = 0;
};

/// One block a rank: `l1: send 56b to 2 tag 0 cpu 0`, `l2: recv ...`, `l3: calc 10 cpu 0`, label = index + 1, tag =
/// lane. `requires` says what must have completed, by derived dependencies and for lanes with one send at a time;
/// `irequires` what must have been issued before, which keeps each lane in order.
std::string export_goal(const Schedule& schedule, const GoalCosts& costs);

}  // namespace isthmus
