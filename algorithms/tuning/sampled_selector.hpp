// The automatic choice on a sample of the ranks, for calls at run time: it takes about a millisecond.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/tuning/rank_cost.hpp"
#include "algorithms/tuning/select.hpp"
#include "algorithms/tuning/trials/known_packings.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"

namespace isthmus {

/// Chooses on a sample of the placed network, made once (rank_sample.hpp). Blocks are larger in the sample, so that as
/// many bytes leave a group as in the whole network. Each plan is replayed there without segments. The effect of
/// segments is estimated from this time, the time of an empty message and the load of the busiest link; the most
/// promising plans are replayed with their segments if that is quick. The effects that a sample does not have, such as
/// numbers of messages that grow with the ranks, are added to the best estimates (scale_correction.hpp) until the best
/// plan is one with this correction. Of plans that are as good the one with the fewest messages in the sample is taken
/// (thrift.hpp). If there are more ranks than in the sample, algorithms that ignore groups are used only if no other
/// serves: their number of steps grows with the number of ranks.
///
/// Packings are made for all sites, of ways that are found once (trials/known_packings.hpp), and their time is the
/// forecast of the synthesis; those with bundles are replayed. None are made where a bound shows that they could not be
/// quicker.
///
/// The result is a pure function of network, placement and problem, so that all ranks find the same plan. choose()
/// (select.hpp) uses all ranks and more plans, and takes longer.
///
/// Made once per communicator; choose() may be called from several threads at once.
class SampledSelector {
 public:
  /// Throws BadInput for a placement that names no host.
  explicit SampledSelector(const PlacedNetwork& placed);
  /// Uses the costs of default_network().
  explicit SampledSelector(const Topology& topology);

  /// `seconds` is the time in the sample. Throws as isthmus::choose().
  Choice choose(const Problem& problem) const;

  /// The number of ranks of the sample.
  int sampled_ranks() const { return sample_.size(); }

 private:
  Problem in_sample(const Problem& problem) const;

  Topology topology_;
  PackedPlans packed_plans_;      ///< of all ranks, whose sites and links are known
  KnownPackings known_packings_;  ///< the same
  std::vector<int> sampled_;      ///< by rank of the sample: the rank that it represents
  PlacedNetwork sample_;
  std::optional<TwoLayers> layers_;  ///< of the whole network, if it has no more layers
  std::optional<LevelCosts> costs_;  ///< only if there are more ranks than in the sample
};

}  // namespace isthmus
