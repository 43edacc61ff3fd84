#include "algorithms/mapping/partition_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace isthmus {
namespace {

constexpr int max_passes = 12;
constexpr int max_rounds = 4;

// Two halves of a graph; moves go to and fro, so that after every second one the sizes are what they were.
class Halves {
 public:
  Halves(const NeighbourGraph& graph, std::vector<char> side) : graph_(graph), side_(std::move(side)) {}

  const std::vector<char>& side() const { return side_; }

  std::int64_t cut() const {
    std::int64_t weight = 0;
    for (int v = 0; v < graph_.size(); ++v)
      for (const NeighbourGraph::Edge& edge : graph_.edges(v))
        if (edge.to > v && side_[edge.to] != side_[v]) weight += edge.weight;
    return weight;
  }

  void refine() {
    for (int pass = 0; pass < max_passes && improve(); ++pass) {
    }
  }

 private:
  std::int64_t gain_of(int v) const {
    std::int64_t gain = 0;
    for (const NeighbourGraph::Edge& edge : graph_.edges(v))
      gain += side_[edge.to] != side_[v] ? edge.weight : -edge.weight;
    return gain;
  }

  // One pass: every vertex moves at most once, the one of the greatest gain first, from either side in turn. What came
  // after the best pair of moves is taken back.
  bool improve() {
    const int size = graph_.size();
    std::vector<std::int64_t> gain(size);
    std::vector<char> moved(size);
    std::set<std::pair<std::int64_t, int>> free[2];  // by side: minus the gain, vertex
    for (int v = 0; v < size; ++v) {
      gain[v] = gain_of(v);
      free[static_cast<int>(side_[v])].emplace(-gain[v], v);
    }
    std::vector<int> moves;
    std::int64_t sum = 0;
    std::int64_t best = 0;
    std::size_t best_moves = 0;
    const std::size_t most_in_vain = 50 + static_cast<std::size_t>(size) / 8;
    for (int from = 0; !free[from].empty() && moves.size() < best_moves + 2 * most_in_vain; from = 1 - from) {
      const int v = free[from].begin()->second;
      free[from].erase(free[from].begin());
      sum += gain[v];
      moved[v] = 1;
      side_[v] = static_cast<char>(1 - from);
      moves.push_back(v);
      for (const NeighbourGraph::Edge& edge : graph_.edges(v)) {
        if (moved[edge.to] != 0) continue;
        auto& side = free[static_cast<int>(side_[edge.to])];
        side.erase({-gain[edge.to], edge.to});
        gain[edge.to] += side_[edge.to] == side_[v] ? -2 * edge.weight : 2 * edge.weight;
        side.emplace(-gain[edge.to], edge.to);
      }
      if (moves.size() % 2 == 0 && sum > best) {
        best = sum;
        best_moves = moves.size();
      }
    }
    for (std::size_t i = best_moves; i < moves.size(); ++i) side_[moves[i]] = static_cast<char>(1 - side_[moves[i]]);
    return best > 0;
  }

  const NeighbourGraph& graph_;
  std::vector<char> side_;
};

// `count` vertices on side 0, grown from one: each time the vertex that has most edges inside joins, of those the one
// with the fewest outside.
std::vector<char> grown_from(const NeighbourGraph& graph, int seed, int count) {
  const int size = graph.size();
  std::vector<char> side(size, 1);
  std::vector<std::int64_t> inside(size), all(size);
  std::set<std::pair<std::int64_t, int>> frontier;  // edges outside minus edges inside, vertex
  for (int v = 0; v < size; ++v)
    for (const NeighbourGraph::Edge& edge : graph.edges(v)) all[v] += edge.weight;
  int next_unseen = 0;
  for (int taken = 0; taken < count; ++taken) {
    int v = seed;
    if (taken > 0 && !frontier.empty()) {
      v = frontier.begin()->second;
      frontier.erase(frontier.begin());
    } else if (taken > 0) {
      while (side[next_unseen] == 0) ++next_unseen;
      v = next_unseen;
    }
    side[v] = 0;
    for (const NeighbourGraph::Edge& edge : graph.edges(v)) {
      if (side[edge.to] == 0) continue;
      if (inside[edge.to] > 0) frontier.erase({all[edge.to] - 2 * inside[edge.to], edge.to});
      inside[edge.to] += edge.weight;
      frontier.emplace(all[edge.to] - 2 * inside[edge.to], edge.to);
    }
  }
  return side;
}

// A vertex at the greatest distance from another, which is a good place to grow from.
int far_from(const NeighbourGraph& graph, int start) {
  std::vector<char> seen(graph.size());
  std::vector<int> queue = {start};
  seen[start] = 1;
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const NeighbourGraph::Edge& edge : graph.edges(queue[i]))
      if (seen[edge.to] == 0) {
        seen[edge.to] = 1;
        queue.push_back(edge.to);
      }
  return queue.back();
}

// `count` vertices on side 0.
std::vector<char> bisect(const NeighbourGraph& graph, int count) {
  const int size = graph.size();
  std::vector<char> in_order(size, 1);
  std::fill_n(in_order.begin(), count, char{0});
  std::vector<std::vector<char>> starts = {std::move(in_order)};
  const int far = far_from(graph, 0);
  for (const int seed : {0, far, size / 2, size / 3, 2 * size / 3, far_from(graph, far)})
    starts.push_back(grown_from(graph, seed, count));
  std::vector<char> best;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::vector<char>& start : starts) {
    Halves halves(graph, std::move(start));
    halves.refine();
    if (const std::int64_t cut = halves.cut(); cut < least) {
      least = cut;
      best = halves.side();
    }
  }
  return best;
}

// Divides the vertices among the parts first ... end - 1.
void divide(const NeighbourGraph& whole, const std::vector<int>& vertices, std::span<const int> sizes, int first,
            int end, std::vector<int>& part_of) {
  if (vertices.empty()) return;
  if (end - first == 1) {
    for (const int v : vertices) part_of[v] = first;
    return;
  }
  const int middle = first + (end - first) / 2;
  const int count = std::accumulate(sizes.begin() + first, sizes.begin() + middle, 0);
  const std::vector<char> side = bisect(whole.between(vertices), count);
  std::vector<int> halves[2];
  for (std::size_t i = 0; i < vertices.size(); ++i) halves[static_cast<int>(side[i])].push_back(vertices[i]);
  divide(whole, halves[0], sizes, first, middle, part_of);
  divide(whole, halves[1], sizes, middle, end, part_of);
}

// Refines between two parts; returns whether less is cut.
bool refine_pair(const NeighbourGraph& graph, int a, int b, std::vector<int>& part_of) {
  std::vector<int> vertices;
  for (int v = 0; v < graph.size(); ++v)
    if (part_of[v] == a || part_of[v] == b) vertices.push_back(v);
  const NeighbourGraph two = graph.between(vertices);
  // Edges to other parts are cut whichever of the two a vertex is in.
  std::vector<char> side;
  for (const int v : vertices) side.push_back(part_of[v] == a ? 0 : 1);
  Halves halves(two, std::move(side));
  const std::int64_t before = halves.cut();
  halves.refine();
  if (halves.cut() >= before) return false;
  for (std::size_t i = 0; i < vertices.size(); ++i) part_of[vertices[i]] = halves.side()[i] == 0 ? a : b;
  return true;
}

}  // namespace

std::int64_t cut_weight(const NeighbourGraph& graph, std::span<const int> part_of) {
  std::int64_t weight = 0;
  for (int v = 0; v < graph.size(); ++v)
    for (const NeighbourGraph::Edge& edge : graph.edges(v))
      if (edge.to > v && part_of[edge.to] != part_of[v]) weight += edge.weight;
  return weight;
}

void refine_parts(const NeighbourGraph& graph, int parts, std::vector<int>& part_of) {
  if (parts < 3) return;  // bisection has refined the two
  for (int round = 0; round < max_rounds; ++round) {
    std::set<std::pair<int, int>> adjacent;
    for (int v = 0; v < graph.size(); ++v)
      for (const NeighbourGraph::Edge& edge : graph.edges(v))
        if (part_of[v] < part_of[edge.to]) adjacent.emplace(part_of[v], part_of[edge.to]);
    bool better = false;
    for (const auto& [a, b] : adjacent) better = refine_pair(graph, a, b, part_of) || better;
    if (!better) return;
  }
}

std::vector<int> partition_graph(const NeighbourGraph& graph, std::span<const int> sizes) {
  std::vector<int> vertices(graph.size());
  std::iota(vertices.begin(), vertices.end(), 0);
  std::vector<int> part_of(graph.size());
  const int parts = static_cast<int>(sizes.size());
  divide(graph, vertices, sizes, 0, parts, part_of);
  refine_parts(graph, parts, part_of);
  return part_of;
}

}  // namespace isthmus
