// Linear (flat tree) scatter. Open MPI, coll/basic: the root sends every rank its block, in turn. No byte travels twice
// and none waits for a coordinator. This suits long blocks, over wide-area links too. With segments the root sends one
// segment to each rank in turn, so that the links to all sites are busy.
//
// Cost: Hockney (P - 1) (alpha + beta n); P-LogP L + (P - 1) g(n).
#include <algorithm>
#include <span>
#include <vector>

#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_straight(Program& program, std::span<const int> others, int rank, int root, Slice own, const Blocks& all,
                      std::int64_t segment) {
  if (rank != root) {
    for (const Slice part : split(own, segment)) program.receive(part, root);
    return;
  }
  std::int64_t longest = 0;
  for (const int to : others) longest = std::max(longest, all.of(to).count);
  const std::int64_t step = segment > 0 ? segment : std::max<std::int64_t>(longest, 1);
  for (std::int64_t first = 0; first < longest; first += step)
    for (const int to : others) {
      const Slice block = all.of(to);
      if (first < block.count) program.send(block.part(first, std::min(step, block.count - first)), to);
    }
  program.copy(own, all.of(root));
}

void scatter_linear(Program& program, int size, int rank, int root, Slice own, const Blocks& all,
                    std::int64_t segment) {
  std::vector<int> others;
  for (int other = 0; rank == root && other < size; ++other)
    if (other != root) others.push_back(other);
  scatter_straight(program, others, rank, root, own, all, segment);
}

}  // namespace isthmus
