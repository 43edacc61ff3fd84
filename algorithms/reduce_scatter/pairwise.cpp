// Pairwise exchange reduce-scatter. Thakur, Rabenseifner, Gropp 2005, section 6: at step i everybody sends to the rank
// i further on that rank's block. The receives are all posted ahead, and the owner combines in the order of ranks.
//
// Cost: (P - 1) alpha + (P - 1) / P m (beta + gamma). An owner keeps P - 1 blocks.
#include <vector>

#include "algorithms/reduce_scatter/reduce_scatter.hpp"

namespace isthmus {

void reduce_scatter_pairwise(Program& program, int size, int rank, const Blocks& blocks, Slice into) {
  std::vector<Slice> operands(size);
  operands[rank] = blocks.of(rank);
  if (size == 1) program.copy(into, operands[0]);
  for (int step = 1; step < size; ++step) {
    const int source = (rank - step + size) % size;
    operands[source] = program.reserve(into.count);
    program.receive(operands[source], source);
  }
  for (int step = 1; step < size; ++step) {
    const int destination = (rank + step) % size;
    program.send(blocks.of(destination), destination);
  }
  Slice sum = operands.front();
  for (int other = 1; other < size; ++other) {
    const Slice to = other + 1 == size ? into : operands[rank == 0 ? 1 : 0];
    program.reduce(to, sum, operands[other]);
    sum = to;
  }
}

}  // namespace isthmus
