// The alltoall algorithms as functions: each appends one rank's program. Composition is calling several.
//
// In the cost formulas P is the number of ranks, n one block in bytes, all of one size, and times are in seconds: a
// message of m bytes takes alpha + beta m (Hockney; alpha in s, beta in s/B), or L + g(m) from its start to its
// arrival, the next one leaving after g(m) (P-LogP).
#pragma once

#include <cstdint>

#include "algorithms/collective/exchanged_blocks.hpp"
#include "algorithms/collective/problem.hpp"
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

// Blocks of any sizes.
void alltoall_linear(Program& program, int size, int rank, const ExchangedBlocks& blocks);
void alltoall_far_first(Program& program, const Topology& topology, int rank, const ExchangedBlocks& blocks);
/// Makes the current lane one that sends one message at a time.
void alltoall_pairwise(Program& program, int size, int rank, const ExchangedBlocks& blocks);
/// At most `limit` receives are posted at a time.
void alltoall_linear_sync(Program& program, int size, int rank, const ExchangedBlocks& blocks, int limit);

/// Blocks of one size; `segment` is in elements, 0 sends blocks whole.
void alltoall_linear_sequential(Program& program, int size, int rank, const ExchangedBlocks& blocks,
                                std::int64_t segment);

/// Blocks of any sizes, all of which every rank has to know: along a tree over the ranks 0..size-1, whose root is rank
/// 0. Unsegmented.
void alltoall_along(Program& program, const PlaceOf& place_of, int size, int rank, const Problem& problem);

/// Blocks of `count` elements.
void alltoall_bruck(Program& program, int size, int rank, std::int64_t count);
/// Blocks of any sizes: a rank has to know the sizes of all blocks that the ranks of its outermost group send or
/// receive. `segment` is in elements of a block, 0 sends blocks whole. With segments each level has its own lane.
void alltoall_multilevel(Program& program, const Topology& topology, int rank, const Problem& problem,
                         std::int64_t segment);

}  // namespace isthmus
