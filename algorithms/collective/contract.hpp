// The contract of each collective: what the verifier proves its algorithms to keep.
#pragma once

#include "algorithms/collective/problem.hpp"
#include "algorithms/schedule/contract.hpp"

namespace isthmus {

/// What a problem over `size` ranks starts from and must end with, in the buffers that problem.hpp describes. Throws
/// BadInput where check_problem() does.
Contract contract_of(const Problem& problem, int size);

}  // namespace isthmus
