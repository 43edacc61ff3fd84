// What a reader has to know before the figures: how TCP was set, what the MPI's own algorithms are here.
#pragma once

#include <string>
#include <vector>

#include "validation/harness/harness.hpp"

namespace isthmus {

/// A sentence each; those that do not apply are left out.
std::vector<std::string> conditions_of(const Outcome& outcome);

}  // namespace isthmus
