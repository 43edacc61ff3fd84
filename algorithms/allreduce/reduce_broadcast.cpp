// Reduce to rank 0, then broadcast from it, both along binomial trees (Open MPI, coll/tuned: nonoverlapping). The
// broadcast has a lane of its own: each segment goes out as soon as it is complete.
//
// Cost, unsegmented: 2 ceil(log2 P) (alpha + beta m) + ceil(log2 P) gamma m.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void allreduce_reduce_broadcast(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment) {
  const RootedGroup party(size, rank, 0);
  reduce_binomial(program, party, {own, into, segment, 0});
  program.add_lane();
  broadcast_binomial(program, party, into, segment);
}

}  // namespace isthmus
