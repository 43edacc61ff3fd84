// The table of the reduce-scatter algorithms, with the variants of reduce_scatter.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> reduce_scatter_table();
std::span<const Algorithm> reduce_scatter_block_table();

}  // namespace isthmus
