// The table of the alltoall algorithms, with the variants of alltoall.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> alltoall_table();
std::span<const Algorithm> alltoallv_table();
std::span<const Algorithm> alltoallw_table();

}  // namespace isthmus
