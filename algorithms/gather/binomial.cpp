// Binomial tree gather. Thakur, Rabenseifner, Gropp 2005, section 4; MPICH, Open MPI: the subtrees of a binomial tree
// double in size from step to step. With segments (which none of the three has) blocks are forwarded as they arrive.
//
// Cost, unsegmented (Thakur 2005): ceil(log2 P) alpha + (P - 1) n beta.
#include "algorithms/gather/gather.hpp"
#include "algorithms/patterns/block_tree.hpp"

namespace isthmus {

void gather_binomial(Program& program, int size, int rank, int root, Slice own, const Blocks& all,
                     std::int64_t segment) {
  gather_along(program, places_along({TreeShape::binomial}, size, root), rank, own, all, segment);
}

}  // namespace isthmus
