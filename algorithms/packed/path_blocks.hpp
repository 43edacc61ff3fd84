// The blocks that paths between two sites carry, and where they are in the buffers of a rank.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/collective/exchanged_blocks.hpp"
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

  /// Of what a rank has for another.
  std::int64_t elements(int from, int to) const;

 private:
  const Problem& problem_;
  const Sites& sites_;
  const int size_;
  std::optional<Blocks> blocks_;  // where there is one for each rank
};

/// What one rank sends and receives in a scatter, gather or alltoall.
class OwnBlocks {
 public:
  OwnBlocks(const Problem& problem, int size, int rank);

  Slice to(int other) const;
  Slice from(int other) const;

 private:
  std::optional<ExchangedBlocks> exchanged_;
  std::optional<Blocks> input_, output_;  // at the root; elsewhere the block of the rank
  Slice own_{};
};

}  // namespace isthmus
