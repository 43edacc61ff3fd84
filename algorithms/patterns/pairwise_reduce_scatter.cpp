// Pairwise exchange reduce-scatter. Thakur, Rabenseifner, Gropp 2005, section 6: at step i each rank sends to rank + i
// the block of that rank. All receives are posted first, and the owner combines in the order of ranks.
//
// Cost: (P - 1) alpha + (P - 1) / P m (beta + gamma). An owner keeps P - 1 blocks.
#include "algorithms/patterns/pairwise_reduce_scatter.hpp"

namespace isthmus {

void combine_in_order(Program& program, const std::vector<Slice>& operands, int own, Slice into) {
  // All operands except the own one are in scratch; one of them holds the sum until the last step.
  Slice sum = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const Slice to = i + 1 == operands.size() ? into : operands[own == 0 ? 1 : 0];
    program.reduce(to, sum, operands[i]);
    sum = to;
  }
}

void reduce_scatter_pairwise(Program& program, const RootedGroup& group, const BlockOf& block_of, Slice into) {
  const int size = group.size(), self = group.relative_rank();
  const auto rank_at = [&](int distance) { return group.rank((self + distance) % size); };
  std::vector<Slice> operands(size);
  operands[self] = block_of(group.rank(self));
  if (size == 1) program.copy(into, operands[0]);
  for (int step = 1; step < size; ++step) {
    Slice& operand = operands[(self + size - step) % size];
    operand = program.reserve(into.count);
    program.receive(operand, rank_at(size - step));
  }
  for (int step = 1; step < size; ++step) program.send(block_of(rank_at(step)), rank_at(step));
  combine_in_order(program, operands, self, into);
}

}  // namespace isthmus
