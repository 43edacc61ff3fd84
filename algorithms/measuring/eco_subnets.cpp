#include "algorithms/measuring/eco_subnets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "algorithms/errors.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {
namespace {

constexpr int none = -1;

struct Edge {
  double weight = 0;
  int a = 0, b = 0;
};

/// All pairs, by nondecreasing distance.
std::vector<Edge> edges_between(int size, const Distance& distance) {
  std::vector<Edge> edges;
  for (int a = 0; a < size; ++a) {
    for (int b = a + 1; b < size; ++b) {
      const double weight = distance(a, b);
      if (!(weight > 0))
        throw BadInput(fmt::format("the distance from {} to {} is {}; more than 0 would be right", a, b, weight));
      edges.push_back({weight, a, b});
    }
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return std::tuple(edge.weight, edge.a, edge.b); });
  return edges;
}

}  // namespace

std::vector<std::vector<int>> eco_subnets(int size, const Distance& distance, double threshold) {
  const std::vector<Edge> edges = edges_between(size, distance);
  std::vector<double> min_edge(size, infinite);
  for (const Edge& edge : edges)
    for (const int point : {edge.a, edge.b}) min_edge[point] = std::min(min_edge[point], edge.weight);

  std::vector<int> subnet(size, none);  // its lowest point
  std::vector<double> subnet_min_edge(size, infinite);
  const auto allows = [&](const Edge& edge, int point) {
    if (edge.weight > threshold * min_edge[point]) return false;
    return subnet[point] == none || edge.weight <= threshold * subnet_min_edge[subnet[point]];
  };
  for (const Edge& edge : edges) {
    const auto [a, b] = std::pair(subnet[edge.a], subnet[edge.b]);
    if ((a != none && a == b) || !allows(edge, edge.a) || !allows(edge, edge.b)) continue;
    const int one = a == none ? edge.a : a, other = b == none ? edge.b : b;
    const int joined = std::min(one, other);
    subnet_min_edge[joined] = std::min({edge.weight, subnet_min_edge[one], subnet_min_edge[other]});
    for (int point = 0; point < size; ++point)
      if (point == edge.a || point == edge.b || subnet[point] == one || subnet[point] == other) subnet[point] = joined;
  }

  std::vector<std::vector<int>> found(size);
  for (int point = 0; point < size; ++point) found[subnet[point] == none ? point : subnet[point]].push_back(point);
  std::erase_if(found, [](const std::vector<int>& points) { return points.empty(); });
  return found;
}

Partition eco_partition(int points, const Distance& distance, double threshold) {
  Partition partition;
  partition.points = points;
  partition.children.resize(points);
  if (points < 2) return partition;
  std::vector<int> parts;
  const std::vector<std::vector<int>> subnets = eco_subnets(points, distance, threshold);
  if (subnets.size() == 1) {
    partition.children.push_back(subnets.front());
    return partition;
  }
  for (const std::vector<int>& subnet : subnets) {
    parts.push_back(subnet.front());
    if (subnet.size() == 1) continue;
    partition.children.push_back(subnet);
    parts.back() = partition.root();
  }
  partition.children.push_back(parts);
  return partition;
}

}  // namespace isthmus
