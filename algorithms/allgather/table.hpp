// The table of the allgather algorithms, with the variants of allgather.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> allgather_table();
std::span<const Algorithm> allgatherv_table();

}  // namespace isthmus
