// Who sends to whom: the tree of a rooted collective, or all pairs of any other, with the sites in colours.
#pragma once

#include "algorithms/schedule/census.hpp"
#include "algorithms/topology/topology.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// If the pairs that exchange messages form a tree, in whichever direction they go, draws it with `root` on top; else
/// the ranks in a circle, site by site. Lines between sites have the colour of wide-area links; tooltips give messages
/// and bytes. At most `max_ranks` ranks.
Element draw_tree(const Census& census, const Topology& topology, int root, int max_ranks = 256);

}  // namespace isthmus
