// Gather and scatter along trees: blocks travel to the root, or from it.
//
// The blocks of a subtree travel as one message: the block of its own root, then those of its children's subtrees, the
// nearest first. In a binomial tree over consecutive ranks, and in groups of them, that is the order of ranks.
#pragma once

#include <functional>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/patterns/group_trees.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// The parent and children of any rank in a tree over all ranks; the children in the order of their blocks.
using PlaceOf = std::function<TreePlace(int rank)>;

/// One tree over all ranks.
PlaceOf places_along(Tree tree, int size, int root);
/// Karonis 2000, section 3.1: a tree over the participants of each group, any root, innermost groups first. Uses the
/// topology and the trees where they are.
PlaceOf multilevel_places(const Topology& topology, int root, const GroupTrees& trees);

/// A child and the ranks of its subtree, in the order of their blocks.
struct Branch {
  int child = 0;
  std::vector<int> ranks;
};
/// In time proportional to the ranks of the subtree.
std::vector<Branch> branches_of(const PlaceOf& place_of, int rank);

/// Gathers blocks along a tree: a rank forwards its subtree's blocks segment by segment, as they arrive. It must know
/// the sizes of its subtree's blocks in `all`; the root must know all sizes.
void gather_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                  std::int64_t segment);
/// The reverse: the block of this rank goes to `own`; at the root `all` holds the blocks of all ranks.
void scatter_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                   std::int64_t segment);

}  // namespace isthmus
