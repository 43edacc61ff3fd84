// The pattern of each group for the algorithms `eco`, from the characterisation of the network.
#pragma once

#include <string>
#include <vector>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/placed_network.hpp"

namespace isthmus {

/// Whether an algorithm has patterns to choose: eco.
inline bool has_patterns_to_choose(const Algorithm& algorithm) { return takes(algorithm, "patterns"); }

/// A tree for the exchange at each group of the topology, by group number, as the parameter `patterns` takes them. A
/// star where the participants share a medium: there messages wait for each other whatever the tree, and it has the
/// fewest on the medium at once. A star too where two of them have no route to each other. Elsewhere the flattest of
/// the stars and trees of degree 8, 4, 3, 2 and 1 and binomial trees that take up to 1 % longer than the quickest, each
/// replayed among the participants alone. Lowekamp 1995 leaves this choice to the user (section 4.2). A pure function
/// of its arguments; blocks of different sizes count as their average. Empty if the operator does not commute, where
/// trees are fixed.
std::vector<std::string> subnet_patterns(const Algorithm& algorithm, const PlacedNetwork& placed,
                                         const Problem& problem);

/// Whether the patterns of all groups of a level are the same, so that `levels` of multilevel can say them.
bool same_at_each_level(const std::vector<std::string>& patterns, const Topology& topology);

}  // namespace isthmus
