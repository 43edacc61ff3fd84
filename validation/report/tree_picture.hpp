// Who sends to whom: the tree of a rooted collective, or all pairs of any other, with the sites in colours.
#pragma once

#include "algorithms/schedule/census.hpp"
#include "algorithms/topology/topology.hpp"
#include "validation/report/markup.hpp"

namespace isthmus {

/// Where every rank is reached from `root` by one way alone, whichever way the messages go, the tree with the root on
/// top; else the ranks in a circle, site by site. Lines between sites are drawn in the colour of wide-area links, and
/// carry notes with messages and bytes. At most `max_ranks` ranks.
Element draw_tree(const Census& census, const Topology& topology, int root, int max_ranks = 256);

}  // namespace isthmus
