// Work between groups, shared by all of their members, at every level: no coordinator is a bottleneck.
//
// Every rank owns one block. The blocks of a group's members are its region. Each of its sibling groups cuts that
// region into as many equal shares as it has members itself: what travels between the two groups is handled, on the
// sibling's side, by the member whose share it is, and on the region's side by the block's owner. Cut where shares and
// blocks overlap these are pieces, and each piece crosses between the two groups once each way that it is needed.
// Inside a group, a member's own block and its shares of all siblings' regions are one block again, and so on inwards.
#pragma once

#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// A block of a message for each rank, so that the regions of all outermost groups are equal.
std::vector<Slice> blocks_in_equal_regions(const Topology& topology, Slice whole);

/// The reduce-scatter: this rank's block, combined over everybody's operand, ends in `into`. `block_of` gives the
/// slices of the operand, which must not overlap `into`. One latency between the outermost groups. With `in_order`,
/// which needs outermost groups of consecutive ranks, operands are combined in the order of ranks.
void reduce_scatter_shared(Program& program, const Topology& topology, int rank, const BlockOf& block_of, Slice into,
                           bool in_order);

/// The allgather: from this rank's block, which lies in its place, to everybody's. One latency between the outermost
/// groups.
void allgather_shared(Program& program, const Topology& topology, int rank, const BlockOf& block_of);

}  // namespace isthmus
