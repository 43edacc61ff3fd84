// isthmus bound: the lower bound of a collective, the links that make it, and what would lower it.
#pragma once

#include <span>
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
/// several are printed, only the first has the CSV's header. `set_links`: how the platform's links were
/// changed, for the heading.
std::string format_bound(const ExplainedBound& explained, const PlacedNetwork& placed, Format format, Look look,
                         bool is_first, std::span<const std::string> set_links = {});

}  // namespace isthmus
