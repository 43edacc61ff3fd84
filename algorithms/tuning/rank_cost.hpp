// The cost of one rank's messages, assuming that all other ranks advance at the same pace.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/models/plogp.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// P-LogP of a message, by the level of the smallest group that contains both ends: measured between the first two
/// ranks, in order, for which no smaller group contains both. If a level has no such ranks, the costs of the next level
/// outwards, else inwards.
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

struct RankCost {
  double seconds = 0;
  std::int64_t messages = 0;          ///< messages sent or received
  std::int64_t messages_outside = 0;  ///< of these, messages between outermost groups
};

/// The rank's own links carry its messages one after the other, each for g(m) of the innermost level. A message that it
/// receives is assumed to have been sent when the rank last sent one itself, and arrives L later. So the result is the
/// time of exchanges in which all ranks do the same, and of one rank that sends to many or receives from many, without
/// contention on links that groups share. For a tree it is the time of one node, not of the whole height.
RankCost rank_cost(const Program& program, int rank, const Topology& topology, const LevelCosts& costs,
                   std::int64_t element_bytes, double reduction_s_per_byte);

}  // namespace isthmus
