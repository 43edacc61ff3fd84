// The tree of least cost + weight * height, by branch and bound.
//
// A cheapest arborescence (arborescence.hpp) is a lower bound of the cost, and the farthest node by shortest paths one
// of the height. Where the arborescence is higher than that, its longest path is at fault: a better tree lacks one of
// its edges. So the trees that lack the first, those that have the first and lack the second, and so on, are searched
// in turn.
#pragma once

#include <vector>

#include "algorithms/ways/arborescence.hpp"

namespace isthmus {

/// The tree out of `root` with the least cost + weight * height, if that is less than `below`; else one with empty
/// parents. `steps`: arborescences that may be looked at, of which those used are taken off; when it is 0 the best tree
/// so far is returned. Arguments as for cheap_and_shallow_trees().
PricedTree least_tree(const EdgeTable& cost, const EdgeTable& hop, const std::vector<double>& own, int root,
                      double weight, double below, int& steps);

}  // namespace isthmus
