// The gather algorithms as functions: each appends one rank's program. Composition is calling several.
//
// `own` is the rank's block. `all` is where the blocks of all come to lie at the root, in the order of ranks; other
// ranks take from it the sizes of the blocks that they pass on. `segment` is in elements; 0 sends each message whole.
// In the cost formulas P is the number of ranks, n one block in bytes, and times are in seconds: a message of m bytes
// takes alpha + beta m (Hockney; alpha in s, beta in s/B), or L + g(m) from its start to its arrival, the next one
// leaving after g(m) (P-LogP).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/topology.hpp"

namespace isthmus {

/// Serves blocks of any sizes, which the root alone has to know.
void gather_linear(Program& program, int size, int rank, int root, Slice own, const Blocks& all, std::int64_t segment);

void gather_binomial(Program& program, int size, int rank, int root, Slice own, const Blocks& all,
                     std::int64_t segment);
/// `levels` names the tree of each level as tree_of() takes it, outermost first, the last one for
/// all levels further in; empty: linear between the groups of level 0, where there are any, and binomial everywhere
/// else.
void gather_multilevel(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                       std::int64_t segment, std::span<const std::string> levels, int degree);

}  // namespace isthmus
