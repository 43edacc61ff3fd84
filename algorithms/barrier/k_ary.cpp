// k-ary tree barrier: tokens go along one tree over all ranks to rank 0 and back.
//
// Cost: that of allreduce/k-ary for a token.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/barrier/barrier.hpp"

namespace isthmus {

void barrier_k_ary(Program& program, int size, int rank, Slice own, Slice into, int degree) {
  allreduce_k_ary(program, size, rank, own, into, 0, degree);
}

}  // namespace isthmus
