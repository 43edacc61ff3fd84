// The reductions to all ranks as functions: each appends one rank's part to a program. Composition is calling several.
//
// `own` is a rank's operand, `into` takes the sum; both have the same count on all ranks. They may be the same slice
// unless a function says otherwise. Segments are in elements; 0 sends whole. In the cost formulas of the algorithms P
// is the number of ranks, m the operand in bytes, m_s the segment in bytes, and times are in seconds: a message of m
// bytes takes alpha + beta m (Hockney; alpha in s, beta in s/B), and combining takes gamma for each byte.
#pragma once

#include <cstdint>

#include "algorithms/patterns/group_trees.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Over the ranks 0..size-1; keeps their order.
void allreduce_recursive_doubling(Program& program, int size, int rank, Slice own, Slice into);
/// The operator must commute; `own` and `into` must not overlap.
void allreduce_ring(Program& program, int size, int rank, Slice own, Slice into);
/// The operator must commute; `own` and `into` must not overlap.
void allreduce_segmented_ring(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment);
/// Over the ranks 0..size-1; keeps their order.
void allreduce_rabenseifner(Program& program, int size, int rank, Slice own, Slice into);
/// Over the ranks 0..size-1; keeps their order.
void allreduce_reduce_broadcast(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment);
/// The operator must commute, unless the degree is 1.
void allreduce_k_ary(Program& program, int size, int rank, Slice own, Slice into, std::int64_t segment, int degree);

/// Keeps the order of ranks when `commutative` is false, where the reduction has trees of its own.
void allreduce_multilevel(Program& program, const Topology& topology, int rank, Slice own, Slice into,
                          std::int64_t segment, bool commutative, const GroupTrees& trees);
/// Keeps the order of ranks when `commutative` is false.
void allreduce_multilevel_exchange(Program& program, const Topology& topology, int rank, Slice own, Slice into,
                                   bool commutative);
/// Keeps the order of ranks with `in_order`, which needs outermost groups of consecutive ranks. `own` and `into` must
/// not overlap.
void allreduce_multilevel_shared(Program& program, const Topology& topology, int rank, Slice own, Slice into,
                                 bool in_order);

}  // namespace isthmus
