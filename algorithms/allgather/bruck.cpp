// Bruck's allgather. Bruck, Ho, Kipnis, Upfal, Weathersby 1997, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", section 4; Thakur, Rabenseifner, Gropp 2005, section 4.1: at step k a rank
// receives from rank + 2^k the blocks held there, at most as many as it still lacks. Then it holds its own block and
// those of the ranks after it, cyclically. At the end all blocks are copied to their positions.
//
// Cost (Thakur 2005): ceil(log2 P) alpha + (P - 1) n beta, for any P.
#include <algorithm>
#include <numeric>

#include "algorithms/allgather/allgather.hpp"

namespace isthmus {

void allgather_bruck(Program& program, std::span<const int> ranks, int self, std::span<const Slice> held) {
  const int size = static_cast<int>(ranks.size());
  if (size == 1) return;
  const auto member = [&](int distance) { return (self + distance) % size; };
  // The blocks of the members from this one on, contiguous.
  std::vector<std::int64_t> begin{0};
  for (int distance = 0; distance < size; ++distance) begin.push_back(begin.back() + held[member(distance)].count);
  const Slice rotated = program.reserve(begin.back());
  const auto range = [&](int first, int end) { return rotated.part(begin[first], begin[end] - begin[first]); };

  program.copy(range(0, 1), held[self]);
  for (int distance = 1; distance < size; distance *= 2) {
    // The message: the blocks of as many members, starting with this one.
    const int count = std::min(distance, size - distance);
    program.receive(range(distance, distance + count), ranks[member(distance)]);
    program.send(range(0, count), ranks[member(size - distance)]);
  }
  // Members whose positions are contiguous are copied together.
  for (int first = 1, end = 1; first < size; first = end) {
    Slice to = held[member(first)];
    for (++end; end < size; ++end) {
      const Slice next = held[member(end)];
      if (next.buffer != to.buffer || next.offset != to.end()) break;
      to.count += next.count;
    }
    program.copy(to, range(first, end));
  }
}

void allgather_bruck(Program& program, int size, int rank, Slice own, const Blocks& all) {
  std::vector<int> ranks(size);
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<Slice> held;
  held.reserve(size);
  for (const int of : ranks) held.push_back(all.of(of));
  program.copy(all.of(rank), own);
  allgather_bruck(program, ranks, rank, held);
}

}  // namespace isthmus
