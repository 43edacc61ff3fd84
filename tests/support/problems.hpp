// Calls of any collective.
#pragma once

#include <cstdint>

#include "algorithms/collective/problem.hpp"

namespace isthmus::tests {

/// A call with elements of 8 bytes; `count` and `root` are used where the collective has them.
inline Problem problem_of(Collective collective, std::int64_t count, int root = 0) {
  Problem problem{.collective = collective, .element_bytes = 8};
  if (carries_data(collective)) problem.count = count;
  if (has_root(collective)) problem.root = root;
  return problem;
}

}  // namespace isthmus::tests
