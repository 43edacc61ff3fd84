// The two halves of a ring allreduce.
#pragma once

#include "algorithms/schedule/program.hpp"

namespace isthmus {

/// Round the ring of ranks 0..size-1, size - 1 steps: block `rank` + 1 (of `size` blocks) of `into` ends with the sum
/// of that block of all `own`. The operator must commute; `own` and `into` must not overlap.
void ring_reduce_scatter(Program& program, int size, int rank, Slice own, Slice into);
/// Round the ring again: from block `rank` + 1 of each rank to all blocks.
void ring_allgather(Program& program, int size, int rank, Slice into);

}  // namespace isthmus
