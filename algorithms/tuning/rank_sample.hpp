// A few ranks that stand for all: plans are tried on them where all would take too long.
#pragma once

#include <cstddef>
#include <vector>

#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// So many outermost groups, or fewer, are all sampled if the routes between them differ.
inline constexpr std::size_t max_sampled_sites = 8;

/// A few parts of every group and a few ranks of every innermost group, ascending; all ranks if these are 32 or fewer.
std::vector<int> ranks_to_sample(const PlacedNetwork& placed);

/// These ranks with their hosts and the links between them, renumbered.
PlacedNetwork sample_of(const PlacedNetwork& placed, const std::vector<int>& ranks);

}  // namespace isthmus
