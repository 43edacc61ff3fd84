// Dissemination barrier (Bruck). Hensgen, Finkel, Manber 1988; Pjesivac-Grbovic 2005, section 4.2: at step k a rank
// tells rank + 2^k what it knows, and hears from rank - 2^k, round the ring.
//
// Cost (there, table 1): Hockney ceil(log2 P) alpha; P-LogP ceil(log2 P) (L + g). Where P is no power of two some
// tokens arrive twice, which an or does not mind.
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
