// The table of the gather algorithms, with the variants of gather.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> gather_table();
std::span<const Algorithm> gatherv_table();

}  // namespace isthmus
