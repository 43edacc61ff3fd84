// isthmus bound: the lower bound of a collective, the links that make it, and what would lower it.
#pragma once

#include <string>
#include <vector>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/bounds/relief.hpp"
#include "validation/text/tables.hpp"

namespace isthmus {

struct ExplainedBound {
  Problem problem;
  LowerBound bound;
  std::vector<Relief> reliefs;
};

/// Throws as find_lower_bound().
ExplainedBound explain_bound(const PlacedNetwork& placed, const Problem& problem);

/// A sentence, a table of the binding links and the reliefs as sentences; CSV, a line; or a JSON object, a line. If
/// several are printed, only the first has the CSV's header.
std::string format_bound(const ExplainedBound& explained, const PlacedNetwork& placed, Format format, bool colour,
                         bool is_first);

}  // namespace isthmus
