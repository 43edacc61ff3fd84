// The multilevel allreduce for messages that are pipelined: the multilevel reduction to rank 0 and the multilevel
// broadcast from it (Karonis 2000, section 3). The broadcast has its own lane: each segment is sent as soon as it is
// complete, while later ones still arrive.
//
// Every wide-area link into and out of rank 0's site carries each byte once; other wide-area links are not used. Two
// wide-area latencies. Cost: the sum of both.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/broadcast/broadcast.hpp"
#include "algorithms/reduce/reduce.hpp"

namespace isthmus {

void allreduce_multilevel(Program& program, const Topology& topology, int rank, Slice own, Slice into,
                          std::int64_t segment, bool commutative, const GroupTrees& trees) {
  reduce_multilevel(program, topology, rank, {own, into, segment, 0}, commutative, trees);
  program.add_lane();
  broadcast_multilevel(program, topology, rank, 0, into, segment, trees);
}

}  // namespace isthmus
