#include "algorithms/mapping/grid.hpp"

#include <numeric>
#include <utility>

namespace isthmus {

int CartesianGrid::size() const {
  int all = 1;
  for (const int size : sizes) all *= size;
  return all;
}

std::vector<int> CartesianGrid::coordinates(int position) const {
  std::vector<int> found(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0; position /= sizes[d]) found[d] = position % sizes[d];
  return found;
}

int CartesianGrid::neighbour(int position, int dimension, int step) const {
  int stride = 1;
  for (int d = dimensions() - 1; d > dimension; --d) stride *= sizes[d];
  const int length = sizes[dimension];
  const int from = position / stride % length;
  int to = from + step;
  if (to < 0 || to >= length) {
    if (!periodic[dimension]) return -1;
    to = (to % length + length) % length;
  }
  return position + (to - from) * stride;
}

NeighbourGraph graph_of(const CartesianGrid& grid) {
  std::vector<NeighbourGraph::Pair> pairs;
  for (int position = 0; position < grid.size(); ++position)
    for (int d = 0; d < grid.dimensions(); ++d)
      if (const int next = grid.neighbour(position, d, 1); next >= 0) pairs.push_back({position, next, grid.weight(d)});
  return {grid.size(), std::move(pairs)};
}

CartesianGrid with_faces_of_a_cube(const CartesianGrid& grid) {
  CartesianGrid heavy = grid;
  int common = 0;
  for (const int size : grid.sizes) common = std::gcd(common, size);
  heavy.weights.clear();
  for (const int size : grid.sizes) heavy.weights.push_back(size / common);
  return heavy;
}

}  // namespace isthmus
