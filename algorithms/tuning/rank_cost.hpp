// What the messages of one rank cost it in a schedule whose other ranks keep step with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/models/plogp.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// P-LogP of a message by the level of the smallest group that both of its ends are in: as of the first two ranks, in
/// order, that no smaller group holds; where there are no such two, as of the next level outwards, or else inwards.
class LevelCosts {
 public:
  /// Throws BadInput for a missing route. There must be two ranks.
  explicit LevelCosts(const PlacedNetwork& placed);

  int levels() const { return static_cast<int>(layers_.size()); }
  const PLogP& between(int level) const { return layers_[std::min(level, levels() - 1)]; }
  const PLogP& innermost() const { return layers_.back(); }

 private:
  std::vector<PLogP> layers_;  ///< by level
};

/// The level of the smallest group that holds both ranks.
int common_level(const Topology& topology, int rank, int other);

struct RankCost {
  double seconds = 0;
  std::int64_t messages = 0;          ///< sent or received
  std::int64_t messages_outside = 0;  ///< those between outermost groups
};

/// The rank's own links carry its messages one after the other, for g(m) of the innermost level each; a message that it
/// receives was sent when it last sent one itself, and is there L later. So for exchanges in which all ranks do the
/// same, and for one who sends to many or receives from many, it is how long these take with no one else on the links
/// that groups share; of a tree it is what one node does, not how high the tree is.
RankCost rank_cost(const Program& program, int rank, const Topology& topology, const LevelCosts& costs,
                   std::int64_t element_bytes, double reduction_s_per_byte);

}  // namespace isthmus
