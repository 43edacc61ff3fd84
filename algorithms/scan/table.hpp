// The algorithms of scan and of its variants as the rest of isthmus knows them.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> scan_table();
std::span<const Algorithm> exscan_table();

}  // namespace isthmus
