// The automatic choice on a sample of the ranks: for a job that calls a collective now and wants its plan within a
// millisecond.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/plogp.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/tuning/rank_cost.hpp"
#include "algorithms/tuning/select.hpp"

namespace isthmus {

/// Chooses on a sample of the placed network, made once: of every group a few of its parts, of every innermost
/// group a few of its ranks, with the same links between them; of up to 32 ranks all. Blocks are made larger in it, so
/// that as many bytes leave a group as in the whole. Each plan is timed there by replay in one piece; what segments
/// save is estimated from that, from the time of an empty message and from the load of the busiest link; the most
/// promising are replayed with their segments where that is quick. What a sample cannot show, as messages that grow in
/// number with the ranks, is added to those that look best (scale_correction.hpp), until one of which that is known is
/// the best. Of those that are as good the one with the fewest messages in the sample is taken (thrift.hpp). Where
/// there are more ranks than in the sample, algorithms that know nothing of groups are for problems that no other
/// serves: their steps grow with the number of ranks. The answer is a pure function of network, placement and problem,
/// so that all ranks find the same; choose() (select.hpp) looks at the whole and at more plans, and takes as long as
/// that takes.
///
/// Made once for a communicator; choose() may be called from several threads at once.
class SampledSelector {
 public:
  /// Throws BadInput for a placement that names no host.
  explicit SampledSelector(const PlacedNetwork& placed);
  /// With the costs of default_network().
  explicit SampledSelector(const Topology& topology);

  /// `seconds` is that of the sample. Throws as isthmus::choose().
  Choice choose(const Problem& problem) const;

  /// How many ranks the sample has.
  int sampled_ranks() const { return sample_.size(); }

 private:
  Problem in_sample(const Problem& problem) const;

  Topology topology_;
  std::vector<int> sampled_;  ///< by rank of the sample: the rank it stands for
  PlacedNetwork sample_;
  std::optional<TwoLayers> layers_;  ///< of the whole, where it has no more
  std::optional<LevelCosts> costs_;  ///< where there are more ranks than in the sample
};

}  // namespace isthmus
