// The multilevel gather, in the manner of Karonis 2000, section 3.1: the blocks of a group are gathered at its
// coordinator, and the blocks of coordinators at the coordinator of the next group outwards, along any tree at any
// level. The root is the coordinator of every group that contains it. The paper does not treat gather.
//
// By default linear between the outermost groups and binomial inside: the blocks of a cluster cross the wide area as
// one message over one link. With segments a coordinator forwards segments while later ones still arrive, so that the
// wide-area link is busy nearly from the start.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include "algorithms/gather/gather.hpp"
#include "algorithms/patterns/block_tree.hpp"

namespace isthmus {

void gather_multilevel(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                       std::int64_t segment, const GroupTrees& trees) {
  gather_along(program, multilevel_places(topology, root, trees), rank, own, all, segment);
}

}  // namespace isthmus
