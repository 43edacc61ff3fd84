// Double ring barrier. Pjesivac-Grbovic 2005, section 4.2: a token goes round the ring from rank 0 and collects the
// tokens of all ranks; a rank may leave when it receives the token a second time.
//
// Cost (there, table 1): Hockney 2 P alpha; P-LogP 2 P (L + g). Here the last hop of the second round is left out,
// because rank 0 may leave after the first: 2 P - 1 hops.
#include "algorithms/barrier/barrier.hpp"

namespace isthmus {

void barrier_double_ring(Program& program, int size, int rank, Slice own, Slice into) {
  if (size == 1) {
    program.copy(into, own);
    return;
  }
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  const Slice others = program.reserve(1);
  if (rank == 0) {
    program.receive(others, left);
    program.send(own, right);
    program.reduce(into, own, others);
    program.send(into, right);
    return;
  }
  program.receive(others, left);
  program.reduce(others, others, own);
  program.send(others, right);
  program.receive(into, left);
  if (right != 0) program.send(into, right);
}

}  // namespace isthmus
