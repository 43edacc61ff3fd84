// The multilevel scatter, in the manner of Karonis 2000, section 3.1: the blocks of a group go to its coordinator and
// from there to the coordinators of the groups inside it, along any tree at any level. The root is the coordinator of
// every group that contains it. The paper does not treat scatter.
//
// By default linear between the outermost groups and binomial inside: the blocks of a cluster cross the wide area as
// one message over one link. With segments the root sends one segment to each cluster in turn, and a coordinator
// forwards segments while later ones still arrive.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_multilevel(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                        std::int64_t segment, const GroupTrees& trees) {
  scatter_along(program, multilevel_places(topology, root, trees), rank, own, all, segment);
}

}  // namespace isthmus
