#include "algorithms/mapping/grid.hpp"

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
      if (const int next = grid.neighbour(position, d, 1); next >= 0) pairs.push_back({position, next, 1});
  return {grid.size(), std::move(pairs)};
}

}  // namespace isthmus
