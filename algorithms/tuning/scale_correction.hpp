// Corrects the estimate of a sample for costs that grow with the number of ranks.
#pragma once

#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/tuning/rank_cost.hpp"

namespace isthmus {

/// The whole network, and a sample of a few of its ranks in which as many bytes leave a group.
struct FullAndSample {
  const Topology& whole;
  const Topology& sample;
  const std::vector<int>& sampled;  ///< by rank of the sample: the rank that it represents
  const LevelCosts& costs;          ///< of both
  double reduction_s_per_byte = 0;
};

struct ScaleCorrection {
  double seconds = 0;           ///< additional time of the busiest rank, for more or longer messages
  double wide_area_growth = 1;  ///< factor on the number of messages from one outermost group to another
};

/// The correction for an unsegmented plan, from the costs of a few ranks in the whole and in the sample
/// (rank_cost.hpp): the root, or the first rank; and the coordinator of another outermost group if it has more to do
/// than an ordinary rank. Never negative: small samples are optimistic. `program` is memory in which the programs of
/// these ranks are written: those of a thousand ranks take some 300 kB, which should be asked for once.
ScaleCorrection scale_correction_of(const Plan& plan, const FullAndSample& both, const Problem& problem,
                                    const Problem& sample_problem, Program& program);

/// The time for `bytes` to pass the additional ranks of the plan's chains.
double longer_chains_s(const Plan& plan, const FullAndSample& both, double bytes);

}  // namespace isthmus
