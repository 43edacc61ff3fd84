// The multilevel scatter, in the manner of Karonis 2000, section 3.1: the blocks of a group go to its coordinator, from
// there to the coordinators of the groups inside it, any tree at any level, the root taking the place of the
// coordinator in every group around it. The paper leaves scatter open.
//
// By default linear between the outermost groups and binomial inside: the blocks of a cluster cross the wide area as
// one message, once, over one link. With segments the root serves all clusters in turn, and a coordinator passes on
// what it has while the rest still comes.
//
// Cost, unsegmented: the sum over the levels of the cost of each level's tree.
#include "algorithms/patterns/block_tree.hpp"
#include "algorithms/scatter/scatter.hpp"

namespace isthmus {

void scatter_multilevel(Program& program, const Topology& topology, int rank, int root, Slice own, const Blocks& all,
                        std::int64_t segment, std::span<const std::string> levels, int degree) {
  const PlaceOf place_of = [&](int of) { return multilevel_place(topology, of, root, levels, degree); };
  scatter_along(program, place_of, rank, own, all, segment);
}

}  // namespace isthmus
