// The tree of groups that explains measured distances best: depth only where it pays.
#pragma once

#include "algorithms/measuring/partition.hpp"

namespace isthmus {

/// How distances are compared.
struct GroupTreeSettings {
  double alike = 2;         ///< a group is nearer than what is around it by this factor or more
  double deviation = 0.05;  ///< relative standard deviation of a distance within what one figure explains
  double jitter = 0;        ///< absolute one, in the unit of the distances
};

/// Candidates are the groups of the dendrogram of average linkage (Sokal, Michener 1958: A statistical method for
/// evaluating systematic relationships). Of these a group is kept if the description of all distances is shorter with
/// it than without it, by the Bayesian information criterion (Schwarz 1978: Estimating the dimension of a model): the
/// sum over all pairs of the squared deviation of the logarithm from its figure, over twice the variance, plus half the
/// logarithm of the number of pairs for each figure. The figures of a group are one for all its parts, one for each
/// part (the distance of two parts is the sum of their figures), or one for each two parts, whichever is shortest. So
/// sites that see the others at different distances stay side by side, and hosts that see all others alike become one
/// group.
///
/// Distances are symmetric and above 0; throws BadInput otherwise. Time grows with the cube of the points.
Partition group_tree(int points, const Distance& distance, const GroupTreeSettings& settings);

}  // namespace isthmus
