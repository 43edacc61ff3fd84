// The position of each rank's block in a buffer that holds one block of every rank.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/slice.hpp"

namespace isthmus {

/// Contiguous blocks in the order of ranks: all of one size, which takes no memory, or each of its own size.
class Blocks {
 public:
  /// The blocks of a collective that has one block per rank.
  Blocks(const Problem& problem, int size, Buffer buffer) : buffer_(buffer), equal_(problem.count) {
    if (problem.counts.empty()) return;
    ends_.reserve(size);
    std::int64_t end = 0;
    for (const std::int64_t count : problem.counts) ends_.push_back(end += count);
  }

  Slice of(int rank) const { return range(rank, rank + 1); }
  /// The blocks first ... end - 1.
  Slice range(int first, int end) const { return {buffer_, begin_of(first), begin_of(end) - begin_of(first)}; }
  /// The elements of the blocks of some ranks.
  std::int64_t count_of(std::span<const int> ranks) const {
    std::int64_t count = 0;
    for (const int rank : ranks) count += of(rank).count;
    return count;
  }

 private:
  std::int64_t begin_of(int rank) const {
    if (ends_.empty()) return rank * equal_;
    return rank == 0 ? 0 : ends_[rank - 1];
  }

  Buffer buffer_;
  std::int64_t equal_;
  std::vector<std::int64_t> ends_;
};

/// The block of a rank, for algorithms whose blocks need not be contiguous.
using BlockOf = std::function<Slice(int rank)>;

}  // namespace isthmus
