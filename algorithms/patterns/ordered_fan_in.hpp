// Fan-ins over any grouping that keep the order of ranks, for operators that do not commute.
//
// Only consecutive ranks can be combined: the runs of consecutive ranks that share a group take the place of the
// groups, at every level.
#pragma once

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// The place of `rank` in the fan-in over all ranks, at whose end the sum is at `root`. The runs around the root, whose
/// place is in the middle, are apart: those before it come together and go to the root, and so do those behind it, at
/// every level; the runs in other outermost groups go straight to the root. In time logarithmic in the number of ranks,
/// but proportional to the number of runs at the root, and of sibling runs further in.
FanIn ordered_fan_in(const Topology& topology, int rank, int root);

/// The part of a fan-in that lies within `run`, whose ranks share a group of `level`: the runs of the level inside come
/// together at their first ranks, and those along a binomial tree at the first rank of `run`, any number of levels
/// deep. Adds to `fan`.
void add_ordered_fan_in(FanIn& fan, const Topology& topology, int level, Run run, int rank);

}  // namespace isthmus
