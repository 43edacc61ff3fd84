// Reduce to rank 0, then broadcast from it, both along one k-ary tree over all ranks, as Lowekamp 1995 compares it with
// ECO. With degree P - 1 or more it is the star. The broadcast has its own lane: each segment is sent as soon as it is
// complete. The operator has to commute, unless the degree is 1.
//
// Cost: those of reduce/k-ary and broadcast/k-ary.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void allreduce_k_ary(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment, int degree) {
  const RootedGroup group(size, rank, 0);
  reduce_k_ary(program, group, {own, into, segment, 0}, degree);
  program.add_lane();
  broadcast_k_ary(program, group, into, segment, degree);
}

}  // namespace isthmus
