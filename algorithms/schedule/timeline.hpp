// The begin and end of each operation of a schedule in a replay.
#pragma once

#include <vector>

namespace isthmus {

struct TimedOp {
  int rank = 0;
  int op = 0;          ///< index into the rank's program
  double begin_s = 0;  ///< issued
  double end_s = 0;    ///< completed
};

using Timeline = std::vector<TimedOp>;

}  // namespace isthmus
