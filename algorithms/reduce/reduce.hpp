// The reductions to one rank as functions: each appends one rank's part to a program. Composition is calling several.
//
// `own` is a rank's operand, with the same count on all ranks; the sum ends in `into` of one rank, other ranks do not
// use `into`. Segments are in elements; 0 sends operands whole. In the cost formulas of the algorithms P is the number
// of members, m the operand in bytes, m_s the segment in bytes, n_s = ceil(m / m_s) the number of segments, and times
// are in seconds: a message of m bytes takes alpha + beta m (Hockney; alpha in s, beta in s/B), or L + g(m) from its
// start to its arrival, or(m) and os(m) being the processor's overheads of a receive and a send (P-LogP); combining
// takes gamma for each byte.
//
// Order: operands are combined in the order of relative ranks, in any bracketing. The binary tree is an exception: it
// needs an operator that commutes.
#pragma once

#include <cstdint>

#include "algorithms/patterns/group_trees.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The operand, the result, and the rank that receives it.
struct Reduction {
  Slice own;
  Slice into;
  std::int64_t segment = 0;
  int receiver = 0;  ///< the rank that ends with the sum
};

/// The sum is computed at the root of the group, which sends it to the receiver if that is another rank. With an
/// operator that does not commute the root must be the lowest rank.
void reduce_chain(Program& program, const RootedGroup& group, const Reduction& reduction);
void reduce_k_chain(Program& program, const RootedGroup& group, const Reduction& reduction, int chains);
void reduce_binary(Program& program, const RootedGroup& group, const Reduction& reduction);
/// The operator must commute, unless the degree is 1.
void reduce_k_ary(Program& program, const RootedGroup& group, const Reduction& reduction, int degree);
void reduce_binomial(Program& program, const RootedGroup& group, const Reduction& reduction);
/// The sum is computed at the last member of the group, which sends it to the receiver if that is another rank.
void reduce_in_order_binary(Program& program, const RootedGroup& group, const Reduction& reduction);

/// Over the ranks 0..size-1, in their order, directly to the receiver.
void reduce_flat(Program& program, int size, int rank, const Reduction& reduction);
/// Over the ranks 0..size-1, in their order. Unsegmented: `segment` must be 0.
void reduce_rabenseifner(Program& program, int size, int rank, const Reduction& reduction);

/// An operator that does not commute has trees of its own.
void reduce_multilevel(Program& program, const Topology& topology, int rank, const Reduction& reduction,
                       bool commutative, const GroupTrees& trees);
/// Keeps the order of ranks with `in_order`, which needs outermost groups of consecutive ranks. Unsegmented: `segment`
/// must be 0; `own` and `into` must not overlap.
void reduce_multilevel_shared(Program& program, const Topology& topology, int rank, const Reduction& reduction,
                              bool in_order);

/// For an operator that commutes. `degree` is the degree of the trees inside clusters; 0: binary. `own` and `into` must
/// not overlap.
void reduce_multipath(Program& program, const Topology& topology, int rank, const Reduction& reduction, int degree);

}  // namespace isthmus
