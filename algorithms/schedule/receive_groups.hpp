// Groups of the receives of a schedule.
#pragma once

#include <cstddef>
#include <vector>

namespace isthmus {

/// A replay may say when the last receive of each group ends: that takes less time than a timeline.
struct ReceiveGroups {
  std::size_t size = 0;                 ///< the number of groups
  std::vector<std::vector<int>> of_op;  ///< by rank, then by operation: the group of a receive; -1: none
};

}  // namespace isthmus
