// Recursive doubling barrier. Pjesivac-Grbovic 2005, section 4.2: at step k ranks that differ in bit k exchange tokens;
// if P is not a power of two, two more steps serve the remaining ranks.
//
// Cost (there, table 1; if P is not a power of two the logarithm is rounded down and 2 is added): Hockney log2(P)
// alpha; P-LogP log2(P) (L + g).
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/barrier/barrier.hpp"

namespace isthmus {

void barrier_recursive_doubling(Program& program, int size, int rank, Slice own, Slice into) {
  allreduce_recursive_doubling(program, size, rank, own, into);
}

}  // namespace isthmus
