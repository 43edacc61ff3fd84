// Bruck's alltoall. Bruck, Ho, Kipnis, Upfal, Weathersby 1997, "Efficient algorithms for all-to-all communications in
// multiport message-passing systems", section 3; Thakur, Rabenseifner, Gropp 2005, section 6: the block for rank + i
// travels the distances 2^k that add up to i. At step k all blocks that need this distance are one message.
//
// Cost (Thakur 2005), P = 2^k: log2(P) alpha + P / 2 log2(P) n beta.
#include <algorithm>

#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {
namespace {

/// Calls visit(first, end) for the runs of distances below `size` with the bit of a step.
template <typename Visit>
void for_each_run_with(int bit, int size, Visit&& visit) {
  for (std::int64_t first = bit; first < size; first += 2 * std::int64_t{bit})
    visit(first, std::min<std::int64_t>(first + bit, size));
}

}  // namespace

void alltoall_bruck(Program& program, int size, int rank, std::int64_t count) {
  const auto block = [&](Slice of, std::int64_t first, std::int64_t end) {
    return of.part(first * count, (end - first) * count);
  };
  const Slice sent = input(0, size * count);
  const Slice received = output(0, size * count);
  const Slice travelling = program.reserve(size * count);  // by distance from the sender
  program.copy(block(received, rank, rank + 1), block(sent, rank, rank + 1));
  program.copy(block(travelling, 1, size - rank), block(sent, rank + 1, size));
  program.copy(block(travelling, size - rank, size), block(sent, 0, rank));

  for (int bit = 1; bit < size; bit *= 2) {
    std::int64_t blocks = 0;
    for_each_run_with(bit, size, [&](std::int64_t first, std::int64_t end) { blocks += end - first; });
    const Slice going = program.reserve(blocks * count);
    const Slice coming = program.reserve(blocks * count);
    std::int64_t at = 0;
    for_each_run_with(bit, size, [&](std::int64_t first, std::int64_t end) {
      program.copy(block(going, at, at + end - first), block(travelling, first, end));
      at += end - first;
    });
    program.receive(coming, (rank + size - bit) % size);
    program.send(going, (rank + bit) % size);
    at = 0;
    for_each_run_with(bit, size, [&](std::int64_t first, std::int64_t end) {
      program.copy(block(travelling, first, end), block(coming, at, at + end - first));
      at += end - first;
    });
  }

  for (int distance = 1; distance < size; ++distance) {
    const int from = (rank + size - distance) % size;
    program.copy(block(received, from, from + 1), block(travelling, distance, distance + 1));
  }
}

}  // namespace isthmus
