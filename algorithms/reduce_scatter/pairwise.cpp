// Pairwise exchange reduce-scatter. Thakur, Rabenseifner, Gropp 2005, section 6: at step i everybody sends to the rank
// i further on that rank's block. The receives are all posted ahead, and the owner combines in the order of ranks.
//
// Cost: (P - 1) alpha + (P - 1) / P m (beta + gamma). An owner keeps P - 1 blocks.
#include <vector>

#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace isthmus {

void reduce_scatter_pairwise(Program& program, const Party& party, const BlockOf& block_of, Slice into) {
  const int size = party.size(), self = party.self();
  const auto rank_at = [&](int distance) { return party.rank((self + distance) % size); };
  std::vector<Slice> operands(size);
  operands[self] = block_of(party.rank(self));
  if (size == 1) program.copy(into, operands[0]);
  for (int step = 1; step < size; ++step) {
    Slice& operand = operands[(self + size - step) % size];
    operand = program.reserve(into.count);
    program.receive(operand, rank_at(size - step));
  }
  for (int step = 1; step < size; ++step) program.send(block_of(rank_at(step)), rank_at(step));
  Slice sum = operands.front();
  for (int other = 1; other < size; ++other) {
    const Slice to = other + 1 == size ? into : operands[self == 0 ? 1 : 0];
    program.reduce(to, sum, operands[other]);
    sum = to;
  }
}

}  // namespace isthmus
