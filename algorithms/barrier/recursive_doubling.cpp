// Recursive doubling barrier. Pjesivac-Grbovic 2005, section 4.2: at step k ranks that differ in bit k exchange tokens;
// where P is no power of two, two steps more serve the remaining ranks.
//
// Cost (there, table 1), with 2 added to the logarithm, rounded down, where P is no power of two: Hockney
// log2(P) alpha; P-LogP log2(P) (L + g).
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/barrier/barrier.hpp"

namespace isthmus {

void barrier_recursive_doubling(Program& program, int size, int rank, Slice own, Slice into) {
  allreduce_recursive_doubling(program, size, rank, own, into);
}

}  // namespace isthmus
