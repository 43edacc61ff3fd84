// Replay: the discrete-event evaluation of a whole schedule under P-LogP costs, with shared links occupied in turn.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/models/network.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/schedule/timeline.hpp"

namespace isthmus {

struct Replay {
  double seconds = 0;             ///< common start to the last rank's end
  std::vector<double> rank_end_s;  ///< by rank
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  Timeline timeline;  ///< only when asked for
};

/// Throws Refused naming a rank and an operation when the schedule cannot complete (it deadlocks).
Replay replay(const Network& network, const Placement& placement, std::int64_t element_bytes,
              const ProgramSource& source, bool with_timeline = false);

}  // namespace isthmus
