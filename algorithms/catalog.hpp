// All algorithms of all collectives, and how they are found by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "algorithms/collective/algorithm.hpp"

namespace isthmus {

/// All algorithms of all collectives, or of one, in the order in which `isthmus list` shows them.
std::span<const Algorithm> algorithms();
std::vector<const Algorithm*> algorithms_of(Collective collective);
/// One of them, or `mpi`: the collective of the MPI itself (mpi_own.hpp). Throws BadInput with the near matches.
const Algorithm& algorithm_named(Collective collective, std::string_view id);

/// Reads a plan such as `kielmann:segment=64Ki,wan-degree=3`, as parse_plan(algorithm, text) does. Throws BadInput.
Plan parse_plan(Collective collective, std::string_view text);

}  // namespace isthmus
