// The contract of each collective: what the verifier proves its algorithms to keep.
#pragma once

#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/contract.hpp"

namespace isthmus {

/// What a problem over `size` ranks starts from and must end with. For a broadcast: the root's `output` holds the
/// message, afterwards everybody's does, and there is no `input`. Throws BadInput when `size` < 1, the count is
/// negative or the root is out of range.
Contract contract_of(const Problem& problem, int size);

}  // namespace isthmus
