// Reduce-scatter by direct sends: operands go straight to their owners, which combine them in order.
#pragma once

#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"

namespace isthmus {

/// Combines the operands into `into`. All except operands[own] are in scratch and are overwritten.
void combine_in_order(Program& program, const std::vector<Slice>& operands, int own, Slice into);

/// The reduce-scatter among the members of a group, unsegmented. `block_of` gives the slices of the operand, which must
/// not overlap `into`. Keeps the order of the members.
void reduce_scatter_pairwise(Program& program, const RootedGroup& group, const BlockOf& block_of, Slice into);

}  // namespace isthmus
