// Fan-ins over any groups that keep the order of ranks, for operators that do not commute.
//
// Only consecutive ranks can be combined. So runs of consecutive ranks that share a group replace the groups, at every
// level.
#pragma once

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// The place of `rank` in the fan-in over all ranks, which ends with the sum at `root`. The root is in the middle of
/// its runs: at every level the runs before it are combined and sent to the root, and so are the runs after it. The
/// sums of runs in other outermost groups go straight to the root. In time logarithmic in the number of ranks, but
/// proportional to the number of runs at the root and to the number of sibling runs further inside.
FanIn ordered_fan_in(const Topology& topology, int rank, int root);

/// The part of a fan-in within `run`, whose ranks share a group of `level`. The runs of the next level inwards are
/// combined at their first ranks, and their sums along a binomial tree at the first rank of `run`; so for any number of
/// levels. Adds to `fan`.
void add_ordered_fan_in(FanIn& fan, const Topology& topology, int level, Run run, int rank);

}  // namespace isthmus
