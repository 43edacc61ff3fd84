// The blocks that paths between two sites carry, and where they are in the buffers of their ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/packed/sites.hpp"

namespace isthmus {

/// Of scatter, gather and alltoall. The arguments must outlive it.
class PathBlocks {
 public:
  using Ends = std::pair<int, int>;  ///< the first and the last site of paths

  PathBlocks(const Problem& problem, const Sites& sites, int size);

  /// How many blocks the paths between two sites carry.
  int count(const Ends& ends) const;
  /// Source and target of one of them. Neighbours in the row of blocks belong to different members.
  std::pair<int, int> ranks(const Ends& ends, int block) const;

  /// What a rank has for another: its elements, and where they are at either.
  std::int64_t elements(int from, int to) const;
  Slice sent_from(int from, int to) const;
  Slice received_at(int to, int from) const;

 private:
  const Problem& problem_;
  const Sites& sites_;
  const int size_;
  std::optional<Blocks> blocks_;  // where there is one for each rank
};

}  // namespace isthmus
