// Ring reduce-scatter. Patarasu, Yuan 2009, the first half of their allreduce; Open MPI, coll/tuned: the sum of a block
// starts at the rank after its owner and goes round the ring to the owner; every rank adds its operand.
//
// Cost: (P - 1) (alpha + m / P (beta + gamma)). Sums begin at different ranks: the operator has to commute.
#include <algorithm>
#include <array>

#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace isthmus {

void reduce_scatter_ring(Program& program, int size, int rank, const Blocks& blocks, Slice into) {
  if (size == 1) {
    program.copy(into, blocks.of(0));
    return;
  }
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  const auto coming_at = [&](int step) { return blocks.of((rank - 2 - step + 2 * size) % size); };
  // Two slots in turn: one sum arrives while the one before is still being sent.
  std::array<std::int64_t, 2> largest{};
  for (int step = 0; step + 2 < size; ++step) largest[step % 2] = std::max(largest[step % 2], coming_at(step).count);
  const std::array<Slice, 2> slots = {program.reserve(largest[0]), program.reserve(largest[1])};
  Slice sum = blocks.of(left);
  for (int step = 0; step + 1 < size; ++step) {
    const Slice own = coming_at(step);
    const bool last = step + 2 == size;
    const Slice slot = last ? into : slots[step % 2].part(0, own.count);
    program.receive(slot, left);
    program.send(sum, right);
    program.reduce(slot, slot, own);
    sum = slot;
  }
}

}  // namespace isthmus
