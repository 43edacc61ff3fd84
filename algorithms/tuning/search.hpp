// Choosing the parameters of a plan by model.
#pragma once

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/network.hpp"
#include "algorithms/models/plogp.hpp"

namespace isthmus {

/// What the search of Kielmann 2000 (sections 3.1, 3.2) finds for the pipelined two-layer broadcast.
struct KielmannChoice {
  std::int64_t segment_bytes = 0;
  std::int64_t segments = 1;
  int wan_degree = 1;
  int lan_degree = 1;
  double seconds = 0;           ///< predicted by the closed form
  std::int64_t evaluations = 0;  ///< of the closed form
};

/// The paper's heuristic: segment sizes M/2^i, then hill climbing over the number of segments with the look-ahead
/// -5, -1, +1, +5; of the degrees only those that lower the tree's height. Segments are multiples of the element.
KielmannChoice search_kielmann(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes);

/// Every number of segments and every degree, to judge the heuristic by. Slow: O(count * clusters * cluster_size) at worst.
KielmannChoice search_kielmann_exhaustively(const TwoLayers& layers, std::int64_t bytes, std::int64_t element_bytes);

/// Fills in what the plan leaves open where its algorithm needs a choice (segment, degrees), by model. `segment_auto`
/// asks for a segment to be chosen even where unsegmented is the default.
Plan complete(const Plan& plan, const Network& network, const Placement& placement, const Problem& problem,
              bool segment_auto = false);

}  // namespace isthmus
