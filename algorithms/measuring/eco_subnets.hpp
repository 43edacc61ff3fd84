// The subnets of ECO.
#pragma once

#include <vector>

#include "algorithms/measuring/partition.hpp"

namespace isthmus {

/// The threshold of ECO's rule in its paper: 20 %.
inline constexpr double eco_threshold = 1.2;

/// Lowekamp 1995 (ECO: efficient collective operations for communication on heterogeneous networks), section 4.1,
/// figure 2: pairs are visited by nondecreasing distance. A pair joins the subnets of its points when its distance is
/// at most `threshold` times the shortest distance of either point, and at most `threshold` times the shortest distance
/// with which the subnet of either was joined, if the point is in a subnet. Other distances between members do not
/// count, so that a few wrong ones change nothing.
///
/// The subnets of the points 0 ... size - 1, by their lowest points; points without subnet are alone. Every distance is
/// asked for. Throws BadInput when one is not above 0.
std::vector<std::vector<int>> eco_subnets(int size, const Distance& distance, double threshold = eco_threshold);

/// One level: these subnets below one group of all points.
Partition eco_partition(int points, const Distance& distance, double threshold = eco_threshold);

}  // namespace isthmus
