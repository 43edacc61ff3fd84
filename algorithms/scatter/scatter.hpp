// The scatter algorithms as functions: each appends one rank's program. Composition is calling several.
//
// `own` takes the block of this rank. At the root `all` holds the blocks of all ranks, in the order of ranks; other
// ranks use `all` only for the sizes of the blocks that they forward. `segment` is in elements; 0 sends each message
// whole. In the cost formulas P is the number of ranks, n one block in bytes, and times are in seconds: a message of m
// bytes takes alpha + beta m (Hockney; alpha in s, beta in s/B), or L + g(m) from its start to its arrival, the next
// one leaving after g(m) (P-LogP).
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/patterns/group_trees.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Serves blocks of any sizes; only the root has to know all sizes.
void scatter_linear(Program& program, int size, int rank, int root, Slice own, const Blocks& all, std::int64_t segment);

/// The same to `others` in this order, which only the root has to know: all ranks but the root.
void scatter_straight(Program& program, std::span<const int> others, int rank, int root, Slice own, const Blocks& all,
                      std::int64_t segment);
void scatter_far_first(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                       std::int64_t segment);

void scatter_binomial(Program& program, int size, int rank, int root, Slice own, const Blocks& all,
                      std::int64_t segment);
void scatter_k_ary(Program& program, int size, int rank, int root, Slice own, const Blocks& all, std::int64_t segment,
                   int degree);
void scatter_multilevel(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                        std::int64_t segment, const GroupTrees& trees);

}  // namespace isthmus
