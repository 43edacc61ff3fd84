// The table of the scatter algorithms, with the variants of scatter.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> scatter_table();
std::span<const Algorithm> scatterv_table();

}  // namespace isthmus
