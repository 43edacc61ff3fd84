// Blocks of several ranks as one message: in place if they are contiguous, else packed.
#pragma once

#include <span>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/clusters.hpp"

namespace isthmus {

/// Whether the ranks are consecutive and ascending, so that their blocks are contiguous in a buffer in the order of
/// ranks.
bool consecutive(std::span<const int> ranks);
/// Calls visit(run) for the longest runs of consecutive ascending ranks in a list, in their order.
template <typename Visit>
void for_each_run(std::span<const int> ranks, Visit&& visit) {
  for (std::size_t begin = 0; begin < ranks.size();) {
    Run run{ranks[begin], ranks[begin] + 1};
    while (begin + run.size() < ranks.size() && ranks[begin + run.size()] == run.end) ++run.end;
    visit(run);
    begin += run.size();
  }
}
/// The slices as one message: in place if they are contiguous, else packed.
Slice as_one(Program& program, std::span<const Slice> slices);
/// Copies the blocks of the given ranks from `packed`, which holds them in this order, to their positions, or back.
void unpack(Program& program, const Blocks& places, std::span<const int> ranks, Slice packed);
void pack(Program& program, Slice packed, std::span<const int> ranks, const Blocks& places);

}  // namespace isthmus
