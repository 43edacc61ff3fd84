// Who exchanges how much with whom: an undirected graph with weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isthmus {

/// Vertices 0 ... size-1 are positions: what a process does in a grid or a graph, whichever host it runs on.
class NeighbourGraph {
 public:
  struct Pair {
    int a = 0, b = 0;
    std::int64_t weight = 1;
  };
  struct Edge {
    int to = 0;
    std::int64_t weight = 0;
  };

  /// Weights of equal pairs, in either direction, add up; pairs of a vertex with itself and weights below 1 are left
  /// out.
  NeighbourGraph(int size, std::vector<Pair> pairs);

  int size() const { return static_cast<int>(begin_.size()) - 1; }
  /// The edges of a vertex, by ascending neighbour; every pair is an edge of both its vertices.
  std::span<const Edge> edges(int vertex) const {
    return {edges_.data() + begin_[vertex], begin_[vertex + 1] - begin_[vertex]};
  }

  /// The part of the graph between some vertices, which get the numbers of their places in the list.
  NeighbourGraph between(std::span<const int> vertices) const;

 private:
  std::vector<std::size_t> begin_;
  std::vector<Edge> edges_;
};

}  // namespace isthmus
