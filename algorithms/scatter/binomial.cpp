// Binomial tree scatter. Thakur, Rabenseifner, Gropp 2005, section 4; MPICH, Open MPI: the subtrees of a binomial tree
// halve in size from step to step. With segments (which none of the three has) blocks are forwarded as they arrive.
//
// Cost, unsegmented (Thakur 2005): ceil(log2 P) alpha + (P - 1) n beta.
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_binomial(Program& program, int size, int rank, int root, Slice own, const Blocks& all,
                      std::int64_t segment) {
  scatter_along(program, places_along({TreeShape::binomial}, size, root), rank, own, all, segment);
}

}  // namespace isthmus
