// Why the automatic choice is what it is: every candidate, what its time is made of, and what would change the choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/replay/critical_path.hpp"
#include "algorithms/tuning/select.hpp"
#include "validation/text/tables.hpp"

namespace isthmus {

struct ExplainedCandidate {
  Plan plan;
  double seconds = 0;
  std::int64_t messages = 0;  ///< of the whole schedule
  CostSplit split;            ///< its parts sum up to `seconds`
};

/// From this size on the choice is another algorithm.
struct SwitchingPoint {
  std::int64_t bytes = 0;
  Plan plan;
};

struct Explanation {
  Problem problem;
  double bound_seconds = 0;
  std::vector<ExplainedCandidate> candidates;  ///< the choice, then the others, quickest first
  std::optional<SwitchingPoint> next;          ///< none up to `looked_up_to_bytes`
  std::int64_t looked_up_to_bytes = 0;
};

/// `every_plan`: all that were tried; else the best plan of each algorithm. Sizes are looked at by doubling up to 1024
/// times the problem's and 16 MiB, then halved down to the element. Throws as choose().
Explanation explain(const PlacedNetwork& placed, const Problem& problem, bool every_plan);

/// As a table under its question with a sentence on the choice, as CSV or as a JSON object a candidate. Of several in
/// turn the first alone has the head of the CSV.
std::string format_explanation(const Explanation& explanation, const std::string& platform, int ranks, Format format,
                               bool colour, bool is_first);

}  // namespace isthmus
