// The contract of each collective, which the verifier proves for its algorithms.
#pragma once

#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/contract.hpp"

namespace isthmus {

/// The contents of the buffers (described in problem.hpp) before and after a problem over `size` ranks. Throws BadInput
/// where check_problem() does.
Contract contract_of(const Problem& problem, int size);

}  // namespace isthmus
