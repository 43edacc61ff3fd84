// k-ary tree scatter: blocks along one tree of least height for a degree (Kielmann 2000, section 3.1) over all ranks.
//
// Cost, unsegmented, for height h: h alpha + (P - 1) n beta at least, where the root's link is the bottleneck.
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_k_ary(Program& program, int size, int rank, int root, Slice own, const Blocks& all, std::int64_t segment,
                   int degree) {
  scatter_along(program, places_along({TreeShape::k_ary, degree}, size, root), rank, own, all, segment);
}

}  // namespace isthmus
