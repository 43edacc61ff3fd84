// The allgather algorithms as functions: each appends one rank's program. Composition is calling several.
//
// `own` is the rank's block; `all` takes the blocks of all ranks, in the order of ranks. Blocks may differ in size;
// every rank knows all sizes. `segment` is in elements; 0 sends each message whole. In the cost formulas P is the
// number of ranks, n one block in bytes, all of one size, and times are in seconds: a message of m bytes takes alpha +
// beta m (Hockney; alpha in s, beta in s/B).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/relay.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

void allgather_ring(Program& program, int size, int rank, Slice own, const Blocks& all, std::int64_t segment);
void allgather_recursive_doubling(Program& program, int size, int rank, Slice own, const Blocks& all);
void allgather_neighbour_exchange(Program& program, int size, int rank, Slice own, const Blocks& all);
void allgather_bruck(Program& program, int size, int rank, Slice own, const Blocks& all);
void allgather_multilevel(Program& program, const Topology& topology, int rank, Slice own, const Blocks& all,
                          std::int64_t segment);

/// Unsegmented.
void allgather_aggregated(Program& program, const Topology& topology, int rank, Slice own, const Blocks& all);

/// Through the root of a tree over the ranks 0..size-1, which has to be rank 0: blocks up, all of them down. With
/// segments the way down has its own lane.
void allgather_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all, int size,
                     std::int64_t segment);

// Parts of a larger exchange, among `ranks`. This rank is ranks[self]. At the start each rank holds its own data in
// place.

/// Member m holds the pieces held[m]. Each piece goes round the whole ring, segment by segment, before the next piece.
void allgather_ring(Program& program, std::span<const int> ranks, int self, std::span<const std::vector<Slice>> held,
                    std::int64_t segment);
/// Member m holds held[m].
void allgather_bruck(Program& program, std::span<const int> ranks, int self, std::span<const Slice> held);
/// At the end every rank of the first stage's group holds all blocks that any of them held before. With segments each
/// stage except the first has its own lane.
void allgather_relayed(Program& program, std::span<const RelayStage> relay, const Blocks& all, std::int64_t segment);

}  // namespace isthmus
