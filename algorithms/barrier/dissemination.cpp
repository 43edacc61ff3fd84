// Dissemination barrier (Bruck). Hensgen, Finkel, Manber 1988; Pjesivac-Grbovic 2005, section 4.2: at step k a rank
// sends its token to rank + 2^k and receives one from rank - 2^k, modulo P.
//
// Cost (there, table 1): Hockney ceil(log2 P) alpha; P-LogP ceil(log2 P) (L + g). If P is not a power of two some
// tokens arrive twice, which does not change the result of `or`.
#include "algorithms/barrier/barrier.hpp"

namespace isthmus {

void barrier_dissemination(Program& program, int size, int rank, Slice own, Slice into) {
  Slice known = own;
  for (int distance = 1; distance < size; distance *= 2) {
    const Slice heard = program.reserve(1);
    program.receive(heard, (rank - distance + size) % size);
    program.send(known, (rank + distance) % size);
    program.reduce(into, known, heard);
    known = into;
  }
  if (size == 1) program.copy(into, own);
}

}  // namespace isthmus
