// The table of the broadcast algorithms.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> broadcast_table();

}  // namespace isthmus
