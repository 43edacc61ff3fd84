// Reduce to rank 0, then broadcast from it, both along binomial trees (Open MPI, coll/tuned: nonoverlapping). The
// broadcast has its own lane: each segment is sent as soon as it is complete.
//
// Cost, unsegmented: 2 ceil(log2 P) (alpha + beta m) + ceil(log2 P) gamma m.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void allreduce_reduce_broadcast(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment) {
  const RootedGroup group(size, rank, 0);
  reduce_binomial(program, group, {own, into, segment, 0});
  program.add_lane();
  broadcast_binomial(program, group, into, segment);
}

}  // namespace isthmus
