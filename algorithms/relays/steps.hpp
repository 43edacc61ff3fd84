// The steps of a schedule: a logical time in which every message takes one step, and everything else none.
#pragma once

#include <optional>
#include <vector>

#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// By operation, numbered as in the matching: the earliest step at which it can be issued and completed if sends are
/// synchronous. What an operation needs completes at the step at which it is issued at the latest, and before that step
/// if it is itself a message that completes.
struct Steps {
  std::vector<int> issued, completed;
};

/// None if the schedule gets stuck.
std::optional<Steps> find_steps(const Schedule& schedule, const Matching& matching);

}  // namespace isthmus
