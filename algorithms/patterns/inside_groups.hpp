// What the ranks of an outermost group do among themselves, before and after its coordinator speaks for them: along
// binomial trees at every level of the group.
#pragma once

#include "algorithms/patterns/fan_in.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// A rank's place in the trees along which the operands of its outermost group are combined at the coordinator. A rank
/// in no group is a group of its own.
FanIn fan_in_inside(const Topology& topology, int rank);

/// The message goes from the coordinator to all of the group.
void broadcast_inside(Program& program, const Topology& topology, int rank, Slice message);

}  // namespace isthmus
