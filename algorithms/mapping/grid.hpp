// A Cartesian grid of positions, numbered in row-major order as MPI does.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/mapping/neighbour_graph.hpp"

namespace isthmus {

/// `sizes` has the number of positions along each dimension, at least 1 each; `periodic` tells for each dimension
/// whether its two ends are neighbours. A ring is a periodic grid of one dimension. Without dimensions there is one
/// position.
struct CartesianGrid {
  std::vector<int> sizes;
  std::vector<bool> periodic;
  std::vector<std::int64_t> weights = {};  ///< of an edge along each dimension; empty: 1

  int dimensions() const { return static_cast<int>(sizes.size()); }
  /// The number of positions.
  int size() const;
  std::vector<int> coordinates(int position) const;
  /// The position `step` further along a dimension; -1 beyond an end that is not periodic.
  int neighbour(int position, int dimension, int step) const;
  std::int64_t weight(int dimension) const { return weights.empty() ? 1 : weights[dimension]; }
};

/// The grid with an edge for each pair of a position and its next one in a dimension: a periodic dimension of two
/// positions has two edges between them.
NeighbourGraph graph_of(const CartesianGrid& grid);

/// The grid with edges as heavy as the faces between the blocks of a cube that it divides equally: in proportion to the
/// number of positions along the dimension.
CartesianGrid with_faces_of_a_cube(const CartesianGrid& grid);

}  // namespace isthmus
