// The blocks of an alltoall at one rank.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/slice.hpp"

namespace isthmus {

/// The blocks that one rank sends and receives in an alltoall. Of other ranks it needs only the sizes of these blocks.
class ExchangedBlocks {
 public:
  ExchangedBlocks(const Problem& problem, int size, int rank);

  /// In its input: the block for another rank.
  Slice to(int other) const { return block(sent_, Buffer::input, other); }
  /// In its output: the block of another rank.
  Slice from(int other) const { return block(received_, Buffer::output, other); }

 private:
  Slice block(const std::vector<std::int64_t>& ends, Buffer buffer, int other) const {
    if (ends.empty()) return {buffer, other * equal_, equal_};
    const std::int64_t begin = other == 0 ? 0 : ends[other - 1];
    return {buffer, begin, ends[other] - begin};
  }

  std::int64_t equal_;
  std::vector<std::int64_t> sent_, received_;  // ends of blocks, by rank; empty if all blocks have one size
};

}  // namespace isthmus
