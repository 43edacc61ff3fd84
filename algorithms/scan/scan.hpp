// The prefix reductions as functions: each appends one rank's part to a program. All keep the order of ranks.
//
// An exclusive scan gives a rank the sum of all lower ranks, and the first rank nothing; an inclusive scan adds the
// rank's own operand. `own` and `into` have the same count on all ranks and do not overlap. Segments are in elements; 0
// sends whole. In the cost formulas of the algorithms P is the number of ranks, m the operand in bytes, m_s the segment
// in bytes, n_s = ceil(m / m_s) the number of segments, and times are in seconds: a message of m bytes takes alpha +
// beta m (Hockney; alpha in s, beta in s/B), and combining takes gamma for each byte.
#pragma once

#include <cstdint>

#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Completes an inclusive scan: adds the rank's own operand to the exclusive result in `into`; the first rank, which
/// has none, copies its operand.
inline void add_own(Program& program, bool first, Slice own, Slice into) {
  if (first)
    program.copy(into, own);
  else
    program.reduce(into, into, own);
}

void scan_linear(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment);
void exscan_linear(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment);

/// Over the members of a group, in their order. Does not write `into` of the first one.
void exscan_recursive_doubling(Program& program, const RootedGroup& group, Slice own, Slice into);

/// Through the coordinators of the outermost groups, whose ranks need not be consecutive. Does not write `into` of rank
/// 0.
void exscan_interleaved(Program& program, const Topology& topology, int rank, Slice own, Slice into);

/// Through the root of a tree over the ranks 0..size-1, which has to be rank 0. Makes the first reservation of scratch
/// of the program. Does not write `into` of rank 0.
void exscan_along(Program& program, const PlaceOf& place_of, int size, int rank, Slice own, Slice into);

/// Does not write `into` of rank 0.
void exscan_multilevel(Program& program, const Topology& topology, int rank, Slice own, Slice into);

}  // namespace isthmus
