// Segmented ring allreduce, the one of Open MPI (coll/tuned): the ring's blocks are cut into segments. P segments, one
// of each block, go round the ring to be combined, then the next P segments, and so on; at the end all blocks go round
// once more to be distributed. A rank combines one segment while the next one travels.
//
// Cost with n_s segments of each block: (P + n_s - 2) (alpha + m_s (beta + gamma)) to n_s times the ring's alphas, plus
// the ring's bytes. The operator has to commute.
#include "algorithms/allreduce/allreduce.hpp"
#include "algorithms/allreduce/ring.hpp"

namespace isthmus {

void allreduce_segmented_ring(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment) {
  if (size == 1) program.copy(into, own);
  for (const Slice lot : split(own, segment * size))
    ring_reduce_scatter(program, size, rank, lot, into.part(lot.offset - own.offset, lot.count));
  for (const Slice lot : split(into, segment * size)) ring_allgather(program, size, rank, lot);
}

}  // namespace isthmus
