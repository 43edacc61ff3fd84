// The reduce-scatters as functions: each appends one rank's part to a program. They serve blocks of any sizes, and so
// both MPI_Reduce_scatter and MPI_Reduce_scatter_block.
//
// `blocks` gives the position of each rank's block in the operands; `into` takes this rank's block of the sum, and must
// not overlap the operand. In the cost formulas of the algorithms P is the number of ranks, m the whole operand in
// bytes, and times are in seconds: a message of m bytes takes alpha + beta m (Hockney; alpha in s, beta in s/B), and
// combining takes gamma for each byte.
#pragma once

#include "algorithms/collective/blocks.hpp"
#include "algorithms/patterns/pairwise_reduce_scatter.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// The operator must commute.
void reduce_scatter_ring(Program& program, int size, int rank, const Blocks& blocks, Slice into);
/// The operator must commute.
void reduce_scatter_recursive_halving(Program& program, int size, int rank, const Blocks& blocks, Slice into);
/// Keeps the order of ranks.
void reduce_scatter_butterfly(Program& program, int size, int rank, const Blocks& blocks, Slice into);
/// Keeps the order of ranks when `commutative` is false.
void reduce_scatter_multilevel(Program& program, const Topology& topology, int rank, const Blocks& blocks, Slice into,
                               bool commutative);

}  // namespace isthmus
