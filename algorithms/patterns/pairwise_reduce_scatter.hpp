// Operands that go straight to their owners, who combine them in order.
#pragma once

#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"

namespace isthmus {

/// Combines the operands into `into`. All but operands[own] lie in scratch and are used up.
void combine_in_order(Program& program, const std::vector<Slice>& operands, int own, Slice into);

/// The reduce-scatter among the members of a party, unsegmented. `block_of` gives the slices of the operand, which must
/// not overlap `into`. Keeps the order of the members.
void reduce_scatter_pairwise(Program& program, const RootedGroup& party, const BlockOf& block_of, Slice into);

}  // namespace isthmus
