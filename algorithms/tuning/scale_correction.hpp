// What grows with the number of ranks, and so does not show in a sample of a few of them.
#pragma once

#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/tuning/rank_cost.hpp"

namespace isthmus {

/// The whole, and a sample of a few of its ranks in which as many bytes leave a group.
struct FullAndSample {
  const Topology& whole;
  const Topology& sample;
  const std::vector<int>& sampled;  ///< by rank of the sample: the rank it stands for
  const LevelCosts& costs;          ///< of either
  double reduction_s_per_byte = 0;
};

struct ScaleCorrection {
  double seconds = 0;           ///< that the busiest rank takes longer, for more messages or longer ones
  double wide_area_growth = 1;  ///< how many times as many messages go from one outermost group to another
};

/// Of a plan in one piece, as a few ranks show it in the whole and in the sample (rank_cost.hpp): the root, or the
/// first; and who speaks for another outermost group, where that has more to do than an ordinary rank. Never negative:
/// small samples are optimistic.
ScaleCorrection scale_correction_of(const Plan& plan, const FullAndSample& both, const Problem& problem,
                                    const Problem& sample_problem);

/// What the ranks by which the plan's chains grow take to pass on so many bytes.
double longer_chains_s(const Plan& plan, const FullAndSample& both, double bytes);

}  // namespace isthmus
