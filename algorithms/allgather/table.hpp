// The algorithms of allgather and of its variants as the rest of isthmus knows them.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> allgather_table();
std::span<const Algorithm> allgatherv_table();

}  // namespace isthmus
