// Reduce-scatter and allgather in which all members of a group share the work between groups, at every level, so that
// no coordinator is a bottleneck.
//
// Every rank owns one block. The blocks of a group's members are its region. Each sibling group cuts that region into
// as many equal shares as the sibling has members. Data between the two groups is sent and received by the member that
// has the share on the sibling's side, and by the block's owner on the region's side. The intersections of shares and
// blocks are pieces; a piece crosses between the two groups at most once each way. Inside a group, a member's own block
// and its shares of all siblings' regions are one block of the next level, and so on inwards.
#pragma once

#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// A block of a message for each rank, so that the regions of all outermost groups are equal.
std::vector<Slice> blocks_in_equal_regions(const Topology& topology, Slice whole);

/// The reduce-scatter: this rank's block, combined over the operands of all ranks, ends in `into`. `block_of` gives the
/// slices of the operand, which must not overlap `into`. One latency between the outermost groups. With `in_order`,
/// which needs outermost groups of consecutive ranks, operands are combined in the order of ranks.
void reduce_scatter_shared(Program& program, const Topology& topology, int rank, const BlockOf& block_of, Slice into,
                           bool in_order);

/// The allgather: this rank's block is at its position at the start, and so are the blocks of all ranks at the end. One
/// latency between the outermost groups.
void allgather_shared(Program& program, const Topology& topology, int rank, const BlockOf& block_of);

}  // namespace isthmus
