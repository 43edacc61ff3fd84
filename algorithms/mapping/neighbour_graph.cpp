#include "algorithms/mapping/neighbour_graph.hpp"

#include <algorithm>
#include <tuple>

namespace isthmus {

NeighbourGraph::NeighbourGraph(int size, std::vector<Pair> pairs) : begin_(static_cast<std::size_t>(size) + 1) {
  std::erase_if(pairs, [](const Pair& pair) { return pair.a == pair.b || pair.weight < 1; });
  const std::size_t given = pairs.size();
  pairs.reserve(2 * given);
  for (std::size_t i = 0; i < given; ++i) pairs.push_back({pairs[i].b, pairs[i].a, pairs[i].weight});
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return std::tie(a.a, a.b) < std::tie(b.a, b.b); });
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0 && pairs[i].a == pairs[i - 1].a && pairs[i].b == pairs[i - 1].b) {
      edges_.back().weight += pairs[i].weight;
      continue;
    }
    edges_.push_back({pairs[i].b, pairs[i].weight});
    ++begin_[static_cast<std::size_t>(pairs[i].a) + 1];
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

NeighbourGraph NeighbourGraph::between(std::span<const int> vertices) const {
  std::vector<int> number(static_cast<std::size_t>(size()), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) number[vertices[i]] = static_cast<int>(i);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    for (const Edge& edge : edges(vertices[i]))
      if (number[edge.to] > static_cast<int>(i)) pairs.push_back({static_cast<int>(i), number[edge.to], edge.weight});
  return {static_cast<int>(vertices.size()), std::move(pairs)};
}

}  // namespace isthmus
