// Broadcast, reduce, allreduce, allgather and reduce_scatter along the trees of a packing.
#pragma once

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// For a call that serves_packed() has accepted.
void write_along_trees(Program& program, const Call& call, const Packing& packing);

}  // namespace isthmus
