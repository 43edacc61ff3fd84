// The table of the scan algorithms, with the variants of scan.
#pragma once

#include <span>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// One row an algorithm, in the order in which `isthmus list` shows them.
std::span<const Algorithm> scan_table();
std::span<const Algorithm> exscan_table();

}  // namespace isthmus
