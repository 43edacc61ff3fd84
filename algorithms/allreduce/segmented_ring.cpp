// Segmented ring allreduce, the one of Open MPI (coll/tuned): the ring's blocks are cut into segments, and each lot of
// P segments goes round the ring to be combined before the next one; then everything goes round once more to be spread.
// A rank combines one segment while the next one travels.
//
// Cost with n_s segments of each block: (P + n_s - 2) (alpha + m_s (beta + gamma)) and more, up to n_s times the ring's
// alphas, and the ring's bytes. The operator has to commute.
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
