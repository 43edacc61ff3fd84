#include "algorithms/ways/arborescence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus {
namespace {

/// Contracts cycles of cheapest entering edges until all nodes hang on the root, then opens the cycles again.
class Contraction {
 public:
  Contraction(const EdgeTable& cost, int root) : k_(cost.nodes) {
    const std::size_t most = 2 * static_cast<std::size_t>(k_);
    entering_.reserve(most);
    for (int v = 0; v < k_; ++v) {
      Entering& node = entering_.emplace_back();
      node.cost.resize(k_);
      node.head.assign(k_, v);
      for (int u = 0; u < k_; ++u) node.cost[u] = cost.at(u, v);
    }
    node_of_.resize(k_);
    for (int v = 0; v < k_; ++v) node_of_[v] = v;
    super_.assign(most, -1);
    chosen_.assign(most, {});
    position_.assign(most, kNew);
    position_[root] = kDone;
  }

  /// False if some node cannot be reached.
  bool contract() {
    std::vector<int> path;
    for (int start = 0; start < k_; ++start) {
      int v = node_of_[start];
      while (position_[v] != kDone) {
        position_[v] = static_cast<int>(path.size());
        path.push_back(v);
        if (!choose(v)) return false;
        const int w = node_of_[chosen_[v].tail];
        v = position_[w] >= 0 ? merge(path, position_[w]) : w;
      }
      for (int node : path) position_[node] = kDone;
      path.clear();
    }
    return true;
  }

  Parents opened(int root) const {
    std::vector<Edge> edge = chosen_;
    // The part of a contracted cycle that the tree enters takes the edge of the whole; the others keep theirs.
    for (int node = static_cast<int>(entering_.size()) - 1; node >= k_; --node) {
      int part = edge[node].head;
      while (super_[part] != node) part = super_[part];
      edge[part] = edge[node];
    }
    Parents parent(k_);
    for (int v = 0; v < k_; ++v) parent[v] = v == root ? root : edge[v].tail;
    return parent;
  }

 private:
  static constexpr int kNew = -2, kDone = -1;
  struct Edge {
    int tail = 0, head = 0;
  };
  /// The cheapest edge from each node of the graph into a contracted one, and where in the graph it ends.
  struct Entering {
    std::vector<double> cost;
    std::vector<int> head;
  };

  bool choose(int node) {
    const Entering& in = entering_[node];
    int best = -1;
    for (int u = 0; u < k_; ++u)
      if (node_of_[u] != node && (best < 0 || in.cost[u] < in.cost[best])) best = u;
    if (best < 0 || in.cost[best] == EdgeTable::kNoEdge) return false;
    chosen_[node] = {best, in.head[best]};
    return true;
  }

  /// Makes one node of the end of the path and returns it.
  int merge(std::vector<int>& path, int from) {
    const int number = static_cast<int>(entering_.size());
    Entering whole;
    whole.cost.assign(k_, EdgeTable::kNoEdge);
    whole.head.assign(k_, 0);
    for (std::size_t i = from; i < path.size(); ++i) {
      const int part = path[i];
      const Entering& in = entering_[part];
      const double paid = in.cost[chosen_[part].tail];
      for (int u = 0; u < k_; ++u) {
        const double more = in.cost[u] - paid;
        if (more < whole.cost[u]) {
          whole.cost[u] = more;
          whole.head[u] = in.head[u];
        }
      }
      super_[part] = number;
    }
    path.resize(from);
    entering_.push_back(std::move(whole));
    for (int& node : node_of_)
      if (super_[node] == number) node = number;
    return number;
  }

  int k_;
  std::vector<Entering> entering_;  // of nodes 0 .. k-1, then of contracted ones
  std::vector<int> node_of_;        // the contracted node that a node of the graph is in now
  std::vector<int> super_;          // the node that a node was contracted into, or -1
  std::vector<Edge> chosen_;        // the cheapest entering edge of a node
  std::vector<int> position_;       // on the path, or kNew, kDone
};

EdgeTable mixed(const EdgeTable& cost, const EdgeTable& hop, double weight) {
  EdgeTable sum = cost;
  for (std::size_t i = 0; i < sum.values.size(); ++i)
    if (sum.values[i] != EdgeTable::kNoEdge) sum.values[i] += weight * hop.values[i];
  return sum;
}

/// Moves single subtrees to other parents as long as cost + weight * height falls.
class Improvement {
 public:
  Improvement(const EdgeTable& cost, const EdgeTable& hop, int root, double weight)
      : cost_(cost), hop_(hop), root_(root), weight_(weight) {}

  PricedTree operator()(Parents parent) {
    const int k = cost_.nodes;
    double edges = 0;
    for (int v = 0; v < k; ++v)
      if (v != root_) edges += cost_.at(parent[v], v);
    std::vector<double> arrival = arrival_times(parent, hop_);
    double tall = *std::max_element(arrival.begin(), arrival.end());
    std::vector<char> below(k);
    for (int since_last_move = 0, v = 0; since_last_move < k; ++since_last_move, v = (v + 1) % k) {
      if (v == root_) continue;
      find_subtree(parent, v, below);
      double rest = 0, depth = 0;  // the height of the tree without the subtree, and of the subtree
      for (int w = 0; w < k; ++w) {
        if (below[w] != 0)
          depth = std::max(depth, arrival[w] - arrival[v]);
        else
          rest = std::max(rest, arrival[w]);
      }
      const double now = edges + weight_ * tall, without = edges - cost_.at(parent[v], v);
      double best = now * (1 - 1e-12);
      int to = -1;
      for (int u = 0; u < k; ++u) {
        if (below[u] != 0 || u == parent[v] || cost_.at(u, v) == EdgeTable::kNoEdge) continue;
        const double value = without + cost_.at(u, v) + weight_ * std::max(rest, arrival[u] + hop_.at(u, v) + depth);
        if (value < best) {
          best = value;
          to = u;
        }
      }
      if (to < 0) continue;
      edges = without + cost_.at(to, v);
      parent[v] = to;
      arrival = arrival_times(parent, hop_);
      tall = *std::max_element(arrival.begin(), arrival.end());
      since_last_move = 0;
    }
    return {edges + weight_ * tall, std::move(parent)};
  }

 private:
  static void find_subtree(const Parents& parent, int top, std::vector<char>& below) {
    constexpr char kUnknown = 2;
    std::fill(below.begin(), below.end(), kUnknown);
    below[top] = 1;
    for (int w = 0; w < static_cast<int>(parent.size()); ++w) {
      int up = w;
      while (below[up] == kUnknown && parent[up] != up) up = parent[up];
      const char found = below[up] == kUnknown ? char{0} : below[up];
      for (int v = w; below[v] == kUnknown; v = parent[v]) below[v] = found;
    }
  }

  const EdgeTable& cost_;
  const EdgeTable& hop_;
  int root_;
  double weight_;
};

}  // namespace

EdgeTable EdgeTable::transposed() const {
  EdgeTable turned(nodes);
  for (int u = 0; u < nodes; ++u)
    for (int v = 0; v < nodes; ++v) turned.at(v, u) = at(u, v);
  return turned;
}

Parents cheapest_arborescence(const EdgeTable& cost, int root) {
  Contraction contraction(cost, root);
  return contraction.contract() ? contraction.opened(root) : Parents{};
}

ShortestPaths shortest_paths(const EdgeTable& cost, int root) {
  const int k = cost.nodes;
  ShortestPaths found{Parents(k), std::vector<double>(k, EdgeTable::kNoEdge)};
  for (int v = 0; v < k; ++v) found.parent[v] = v;
  found.distance[root] = 0;
  std::vector<char> done(k);
  for (int round = 0; round < k; ++round) {
    int u = -1;
    for (int v = 0; v < k; ++v)
      if (done[v] == 0 && (u < 0 || found.distance[v] < found.distance[u])) u = v;
    if (found.distance[u] == EdgeTable::kNoEdge) break;
    done[u] = 1;
    for (int v = 0; v < k; ++v) {
      const double distance = found.distance[u] + cost.at(u, v);
      if (done[v] == 0 && distance < found.distance[v]) {
        found.distance[v] = distance;
        found.parent[v] = u;
      }
    }
  }
  return found;
}

std::vector<double> arrival_times(const Parents& parent, const EdgeTable& hop) {
  std::vector<double> time(parent.size(), -1);
  std::vector<int> up;
  for (int v = 0; v < static_cast<int>(parent.size()); ++v) {
    int w = v;
    for (; time[w] < 0 && parent[w] != w; w = parent[w]) up.push_back(w);
    if (time[w] < 0) time[w] = 0;
    for (; !up.empty(); up.pop_back()) time[up.back()] = time[parent[up.back()]] + hop.at(parent[up.back()], up.back());
  }
  return time;
}

double height(const Parents& parent, const EdgeTable& hop) {
  const std::vector<double> time = arrival_times(parent, hop);
  return *std::max_element(time.begin(), time.end());
}

std::vector<PricedTree> cheap_and_shallow_trees(const EdgeTable& cost, const EdgeTable& hop, int root, double weight) {
  std::vector<PricedTree> trees;
  const auto keep = [&](PricedTree tree) {
    const bool known =
        std::any_of(trees.begin(), trees.end(), [&](const PricedTree& t) { return t.parent == tree.parent; });
    if (!known) trees.push_back(std::move(tree));
  };
  if (weight <= 0) {
    Parents tree = cheapest_arborescence(cost, root);
    if (tree.empty()) return trees;
    double edges = 0;
    for (int v = 0; v < cost.nodes; ++v)
      if (v != root) edges += cost.at(tree[v], v);
    return {{edges, std::move(tree)}};
  }
  std::vector<Parents> starts;
  for (double share : {0.0, 0.15, 0.4, 1.0}) {
    Parents tree = cheapest_arborescence(mixed(cost, hop, share * weight), root);
    if (tree.empty()) return trees;
    if (std::find(starts.begin(), starts.end(), tree) == starts.end()) starts.push_back(std::move(tree));
  }
  Parents shortest = shortest_paths(mixed(cost, hop, weight), root).parent;
  if (std::find(starts.begin(), starts.end(), shortest) == starts.end()) starts.push_back(std::move(shortest));
  Improvement improve(cost, hop, root, weight);
  for (Parents& start : starts) keep(improve(std::move(start)));
  std::stable_sort(trees.begin(), trees.end(),
                   [](const PricedTree& a, const PricedTree& b) { return a.value < b.value; });
  return trees;
}

}  // namespace isthmus
