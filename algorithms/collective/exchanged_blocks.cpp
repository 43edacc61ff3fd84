#include "algorithms/collective/exchanged_blocks.hpp"

namespace isthmus {

ExchangedBlocks::ExchangedBlocks(const Problem& problem, int size, int rank) : equal_(problem.count) {
  if (problem.counts.empty()) return;
  std::int64_t sent = 0, received = 0;
  for (int other = 0; other < size; ++other) {
    sent_.push_back(sent += block_count(problem, size, rank, other));
    received_.push_back(received += block_count(problem, size, other, rank));
  }
}

}  // namespace isthmus
