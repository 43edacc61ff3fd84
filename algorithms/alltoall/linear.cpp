// Linear alltoall. Open MPI, coll/basic: every rank posts all its receives, then sends all its blocks, beginning with
// its neighbour's, so that the ranks do not all send to the same rank at once. (The linear one of Pjesivac-Grbovic
// 2005, section 4.2, is `linear-sequential`: there the ranks send one after the other.) Every byte goes straight to its
// destination, so that it crosses one wide-area link at most.
//
// Cost: Hockney (P - 1) (alpha + n beta); P-LogP L + (P - 1) g(n).
#include "algorithms/alltoall/alltoall.hpp"

namespace isthmus {

void alltoall_linear(Program& program, int size, int rank, const ExchangedBlocks& blocks) {
  program.copy(blocks.from(rank), blocks.to(rank));
  for (int distance = 1; distance < size; ++distance) {
    const int from = (rank + size - distance) % size;
    program.receive(blocks.from(from), from);
  }
  for (int distance = 1; distance < size; ++distance) {
    const int to = (rank + distance) % size;
    program.send(blocks.to(to), to);
  }
}

}  // namespace isthmus
