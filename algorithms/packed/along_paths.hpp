// Scatter, gather and alltoall along the paths of a packing.
#pragma once

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// For a call that serves_packed() has accepted. Blocks between members of one site go directly, after the others.
Write write_along_paths;

}  // namespace isthmus
