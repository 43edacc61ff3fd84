// The table of the barrier algorithms.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> barrier_table();

}  // namespace isthmus
