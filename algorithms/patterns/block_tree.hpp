// Trees along which blocks come together at a root, or spread from it: what the tree algorithms of gather and scatter
// share.
//
// The blocks of a subtree travel as one message: the block of its own root, then those of its children's subtrees, the
// nearest first. In a binomial tree over consecutive ranks, and in groups of them, that is the order of ranks.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/collective/blocks.hpp"
#include "algorithms/schedule/program.hpp"
#include "algorithms/topology/rooted_group.hpp"
#include "algorithms/topology/topology.hpp"
#include "algorithms/topology/tree.hpp"

namespace isthmus {

/// The place of any rank in a tree over all ranks, as ranks: children in the order in which their blocks lie.
using PlaceOf = std::function<TreePlace(int rank)>;

/// One tree over a party.
TreePlace place_along(Tree tree, const RootedGroup& party);
/// Karonis 2000, section 3.1: a tree over the participants of each group, any root, innermost groups first. `levels`
/// as gather_multilevel() takes them.
TreePlace multilevel_place(const Topology& topology, int rank, int root, std::span<const std::string> levels,
                           int degree);

/// A child and the ranks of its subtree, in the order in which their blocks lie.
struct Branch {
  int child = 0;
  std::vector<int> ranks;
};
/// In time proportional to the ranks of the subtree.
std::vector<Branch> branches_of(const PlaceOf& place_of, int rank);

/// Gathers blocks along a tree: a rank passes its subtree's blocks on, segment by segment, as they come. Of `all` it
/// has to know the sizes of its subtree's blocks, the root all.
void gather_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                  std::int64_t segment);
/// The reverse: `own` is where the block of this rank goes, `all` where those of all lie at the root.
void scatter_along(Program& program, const PlaceOf& place_of, int rank, Slice own, const Blocks& all,
                   std::int64_t segment);

}  // namespace isthmus
