// `COLLECTIVE[/ALGORITHM[:PARAMETERS]]` as the command line takes it.
#pragma once

#include <string>
#include <vector>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus::command_line {

struct PlanText {
  Plan plan;
  bool segment_given = false;  ///< the text says `segment=`
};

/// The plans that a text names: one algorithm, all of a collective, or, for an empty text, all there are. Throws BadInput
/// with the near matches.
std::vector<PlanText> plans_named(const std::string& text);

}  // namespace isthmus::command_line
