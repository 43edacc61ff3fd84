// Scatter, gather and alltoall along the paths of a packing.
#pragma once

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// For a call that serves_packed() has accepted. Blocks between members of one site go directly, after the
/// others; in an alltoall among them where all ways of the site have due times from the start on (Way::first_due), or
/// the packing has lines.
void write_along_paths(Program& program, const Call& call, const Packing& packing);

}  // namespace isthmus
