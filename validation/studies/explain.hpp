// isthmus explain: every candidate of the automatic choice, the parts of its time, and, if asked for, the size at which
// the choice changes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/replay/critical_path.hpp"
#include "algorithms/tuning/packing_map.hpp"
#include "algorithms/tuning/select.hpp"
#include "validation/studies/switching_point.hpp"
#include "validation/text/tables.hpp"

namespace isthmus {

struct ExplainedCandidate {
  Plan plan;
  double seconds = 0;
  std::int64_t messages = 0;  ///< of the whole schedule
  CostSplit split;            ///< its parts sum up to `seconds`
};

/// At larger sizes.
struct LookAhead {
  std::optional<SwitchingPoint> next;  ///< none up to `looked_up_to_bytes`
  std::int64_t looked_up_to_bytes = 0;
};

struct Explanation {
  Problem problem;
  LowerBound bound;
  std::vector<ExplainedCandidate> candidates;  ///< the choice, then the others, quickest first
  std::optional<LookAhead> ahead;              ///< if asked for
  LinkLoad busiest;                            ///< of the choice; no link if its messages cross no shared one
  std::optional<PackingMap> packing;           ///< of the choice, if it has one
};

struct ExplainMore {
  /// All plans that were tried, each algorithm searched as far as if it were named alone; else of each algorithm the
  /// best that the search for the choice saw.
  bool every_plan = false;
  /// The size from which the choice is another algorithm, which takes several further searches.
  bool ahead = false;
};

/// Throws as choose().
Explanation explain(const PlacedNetwork& placed, const Problem& problem, ExplainMore more = {});

/// Two sentences on the choice, a table, the meaning of its parameters, the packing of the choice; CSV; or a JSON
/// object a candidate. If several are printed, only the first has the CSV's header. `set_links`: how the platform's
/// links were changed.
std::string format_explanation(const Explanation& explanation, const PlacedNetwork& placed, Format format, Look look,
                               bool is_first, std::span<const std::string> set_links = {});

}  // namespace isthmus
