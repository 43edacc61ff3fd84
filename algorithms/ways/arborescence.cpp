#include "algorithms/ways/arborescence.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace isthmus {
namespace {

/// The cheapest edge into each node; the lowest parent among equals. Empty if a node has none.
Parents cheapest_edges(const EdgeTable& cost, int root) {
  Parents parent(cost.nodes, -1);
  parent[root] = root;
  for (int v = 0; v < cost.nodes; ++v) {
    if (v == root) continue;
    for (int u = 0; u < cost.nodes; ++u)
      if (u != v && (parent[v] < 0 || cost.at(u, v) < cost.at(parent[v], v))) parent[v] = u;
    if (parent[v] < 0 || cost.at(parent[v], v) == EdgeTable::kNoEdge) return {};
  }
  return parent;
}

/// Whether all nodes hang on the root.
bool is_tree(const Parents& parent, int root) {
  for (int above : parent)
    for (std::size_t steps = 0; above != root; above = parent[above])
      if (++steps > parent.size()) return false;
  return true;
}

/// Contracts cycles of cheapest entering edges until all nodes hang on the root, then opens the cycles again. For one
/// graph after the other.
class Contraction {
 public:
  /// Empty if some node cannot be reached.
  Parents operator()(const EdgeTable& cost, int root) {
    Parents parent = cheapest_edges(cost, root);
    if (parent.empty() || is_tree(parent, root)) return parent;
    start(cost, root);
    if (!contract()) return {};
    open(root, parent);
    return parent;
  }

 private:
  static constexpr int kNew = -2, kDone = -1;
  struct Edge {
    int tail = 0, head = 0;
  };
  struct Node {
    Edge chosen;          // the cheapest entering edge
    int super = -1;       // the node that it was contracted into, or -1
    int position = kNew;  // on the path, or kNew, kDone
  };
  /// The cheapest edge from one node of the graph into a contracted one, and where in the graph it ends.
  struct Entering {
    double cost = EdgeTable::kNoEdge;
    int head = 0;
  };

  int size() const { return static_cast<int>(entering_.size()) / k_; }
  Entering* entering(int node) { return &entering_[static_cast<std::size_t>(node) * k_]; }

  void start(const EdgeTable& cost, int root) {
    k_ = cost.nodes;
    const std::size_t most = 2 * static_cast<std::size_t>(k_);
    entering_.clear();
    entering_.reserve(most * k_);
    for (int v = 0; v < k_; ++v)
      for (int u = 0; u < k_; ++u) entering_.push_back({cost.at(u, v), v});
    node_of_.resize(k_);
    for (int v = 0; v < k_; ++v) node_of_[v] = v;
    nodes_.assign(most, {});
    nodes_[root].position = kDone;
    path_.clear();
    path_.reserve(most);
  }

  bool contract() {
    std::vector<int>& path = path_;
    for (int start = 0; start < k_; ++start) {
      int v = node_of_[start];
      while (nodes_[v].position != kDone) {
        nodes_[v].position = static_cast<int>(path.size());
        path.push_back(v);
        if (!choose(v)) return false;
        const int w = node_of_[nodes_[v].chosen.tail];
        v = nodes_[w].position >= 0 ? merge(path, nodes_[w].position) : w;
      }
      for (const int node : path) nodes_[node].position = kDone;
      path.clear();
    }
    return true;
  }

  void open(int root, Parents& parent) {
    // The part of a contracted cycle that the tree enters takes the edge of the whole; the others keep theirs.
    for (int node = size() - 1; node >= k_; --node) {
      int part = nodes_[node].chosen.head;
      while (nodes_[part].super != node) part = nodes_[part].super;
      nodes_[part].chosen = nodes_[node].chosen;
    }
    for (int v = 0; v < k_; ++v) parent[v] = v == root ? root : nodes_[v].chosen.tail;
  }

  bool choose(int node) {
    const Entering* in = entering(node);
    int best = -1;
    for (int u = 0; u < k_; ++u)
      if (node_of_[u] != node && (best < 0 || in[u].cost < in[best].cost)) best = u;
    if (best < 0 || in[best].cost == EdgeTable::kNoEdge) return false;
    nodes_[node].chosen = {best, in[best].head};
    return true;
  }

  /// Makes one node of the end of the path and returns it.
  int merge(std::vector<int>& path, int from) {
    const int number = size();
    entering_.resize(entering_.size() + k_);
    Entering* whole = entering(number);
    for (std::size_t i = from; i < path.size(); ++i) {
      const int part = path[i];
      const Entering* in = entering(part);
      const double paid = in[nodes_[part].chosen.tail].cost;
      for (int u = 0; u < k_; ++u)
        if (in[u].cost - paid < whole[u].cost) whole[u] = {in[u].cost - paid, in[u].head};
      nodes_[part].super = number;
    }
    path.resize(from);
    for (int& node : node_of_)
      if (nodes_[node].super == number) node = number;
    return number;
  }

  int k_ = 0;
  std::vector<int> path_;
  std::vector<Entering> entering_;  // by node, then by where they come from: k_ each
  std::vector<int> node_of_;        // the contracted node that a node of the graph is in now
  std::vector<Node> nodes_;         // 0 .. k-1 are those of the graph
};

/// Cheapest trees are sought by cost + share * weight * hop, for each of these shares, or for one of them.
constexpr double kShares[] = {0.0, 0.15, 0.4, 1.0}, kOneShare[] = {0.4};

/// cost + weight * hop, for a weight above 0.
void mix(const EdgeTable& cost, const EdgeTable& hop, double weight, EdgeTable& sum) {
  for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] = cost.values[i] + weight * hop.values[i];
}

/// Arrival times of one tree after another.
class ArrivalTimes {
 public:
  const std::vector<double>& operator()(const Parents& parent, const EdgeTable& hop) {
    constexpr double kUnknown = -1;
    time_.assign(parent.size(), kUnknown);
    order_.clear();
    for (int v = 0; v < static_cast<int>(parent.size()); ++v) {
      int w = v;
      for (; time_[w] == kUnknown && parent[w] != w; w = parent[w]) up_.push_back(w);
      if (time_[w] == kUnknown) {
        time_[w] = 0;
        order_.push_back(w);
      }
      for (; !up_.empty(); up_.pop_back()) {
        const int below = up_.back();
        time_[below] = time_[parent[below]] + hop.at(parent[below], below);
        order_.push_back(below);
      }
    }
    return time_;
  }

  /// Of the last tree.
  const std::vector<double>& last() const { return time_; }
  /// The nodes of the last tree, each after its parent.
  const std::vector<int>& order() const { return order_; }

 private:
  std::vector<double> time_;
  std::vector<int> up_, order_;
};

double greatest(const std::vector<double>& arrival, const std::vector<double>& own) {
  double most = 0;
  for (std::size_t v = 0; v < arrival.size(); ++v) most = std::max(most, arrival[v] + own[v]);
  return most;
}

/// Moves single subtrees to other parents as long as cost + weight * height falls.
class Improvement {
 public:
  Improvement(const EdgeTable& cost, const EdgeTable& hop, const std::vector<double>& own, int root, double weight)
      : cost_(cost), hop_(hop), own_(own), root_(root), weight_(weight), below_(own.size()), start_(own.size()) {}

  PricedTree operator()(Parents parent) {
    const int k = hop_.nodes;
    double edges = 0;
    for (int v = 0; v < k; ++v)
      if (v != root_) edges += cost_.at(parent[v], v);
    double tall = greatest(arrival_times_(parent, hop_), own_);
    for (int since_last_move = 0, v = 0; since_last_move < k; ++since_last_move, v = (v + 1) % k) {
      if (v == root_) continue;
      const double now = edges + weight_ * tall, without = edges - cost_.at(parent[v], v);
      const int to = better_parent(parent, v, without, now * (1 - 1e-12));
      if (to < 0) continue;
      edges = without + cost_.at(to, v);
      parent[v] = to;
      tall = greatest(arrival_times_(parent, hop_), own_);
      since_last_move = 0;
    }
    return {edges + weight_ * tall, std::move(parent)};
  }

 private:
  /// The parent with which the value is least, if that is below `best`; else -1. `without`: the edges but that to v.
  int better_parent(const Parents& parent, int v, double without, double best) {
    const std::vector<double>& arrival = arrival_times_.last();
    double rest = 0, depth = 0;  // the height of the tree without the subtree, and of the subtree
    for (const int w : arrival_times_.order()) {
      below_[w] = w == v || (w != root_ && below_[parent[w]] != 0) ? 1 : 0;
      start_[w] = below_[w] != 0 ? EdgeTable::kNoEdge : arrival[w];
      if (below_[w] != 0)
        depth = std::max(depth, arrival[w] + own_[w] - arrival[v]);
      else
        rest = std::max(rest, arrival[w] + own_[w]);
    }
    int to = -1;
    for (int u = 0; u < hop_.nodes; ++u) {
      const double value = without + cost_.at(u, v) + weight_ * std::max(rest, start_[u] + hop_.at(u, v) + depth);
      if (value < best && u != parent[v]) {
        best = value;
        to = u;
      }
    }
    return to;
  }

  const EdgeTable& cost_;
  const EdgeTable& hop_;
  const std::vector<double>& own_;
  int root_;
  double weight_;
  ArrivalTimes arrival_times_;
  std::vector<char> below_;    // whether each node is in the subtree that may move
  std::vector<double> start_;  // arrival; infinite in that subtree
};

}  // namespace

EdgeTable EdgeTable::transposed() const {
  EdgeTable turned(nodes);
  for (int u = 0; u < nodes; ++u)
    for (int v = 0; v < nodes; ++v) turned.at(v, u) = at(u, v);
  return turned;
}

Parents cheapest_arborescence(const EdgeTable& cost, int root) { return Contraction()(cost, root); }

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
    if (u < 0 || found.distance[u] == EdgeTable::kNoEdge) break;
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

std::vector<double> arrival_times(const Parents& parent, const EdgeTable& hop) { return ArrivalTimes()(parent, hop); }

double height(const Parents& parent, const EdgeTable& hop, const std::vector<double>& own) {
  return greatest(arrival_times(parent, hop), own);
}

std::vector<PricedTree> cheap_and_shallow_trees(const EdgeTable& cost, const EdgeTable& hop,
                                                const std::vector<double>& own, int root, double weight,
                                                TreeSearch search) {
  std::vector<PricedTree> trees;
  trees.reserve(5);
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
  starts.reserve(5);
  const auto start = [&](Parents tree) {
    if (std::find(starts.begin(), starts.end(), tree) == starts.end()) starts.push_back(std::move(tree));
  };
  Contraction cheapest;
  EdgeTable both(cost.nodes);
  const bool tries_one = search == TreeSearch::one_mixture;
  for (const double share : tries_one ? std::span<const double>(kOneShare) : std::span<const double>(kShares)) {
    if (share > 0) mix(cost, hop, share * weight, both);
    Parents tree = cheapest(share > 0 ? both : cost, root);
    if (tree.empty()) return trees;
    start(std::move(tree));
  }
  mix(cost, hop, weight, both);
  start(shortest_paths(both, root).parent);
  Improvement improve(cost, hop, own, root, weight);
  for (Parents& one : starts) keep(improve(std::move(one)));
  std::stable_sort(trees.begin(), trees.end(),
                   [](const PricedTree& a, const PricedTree& b) { return a.value < b.value; });
  return trees;
}

}  // namespace isthmus
