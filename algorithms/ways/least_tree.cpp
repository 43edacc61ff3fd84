#include "algorithms/ways/least_tree.hpp"

#include <algorithm>
#include <utility>

namespace isthmus {
namespace {

class Search {
 public:
  Search(const EdgeTable& cost, const EdgeTable& hop, const std::vector<double>& own, int root, double weight,
         double below, int& steps)
      : cost_(cost), hop_(hop), own_(own), root_(root), weight_(weight), steps_(steps) {
    best_.value = below;
    for (std::size_t i = 0; i < hop_.values.size(); ++i)
      if (cost_.values[i] == EdgeTable::kNoEdge) hop_.values[i] = EdgeTable::kNoEdge;
  }

  PricedTree best() {
    look();
    return std::move(best_);
  }

 private:
  void look() {
    if (steps_ <= 0) return;
    --steps_;
    const Parents tree = cheapest_arborescence(cost_, root_);
    if (tree.empty()) return;
    double edges = 0, least_height = 0;
    for (int v = 0; v < cost_.nodes; ++v)
      if (v != root_) edges += cost_.at(tree[v], v);
    const std::vector<double> earliest = shortest_paths(hop_, root_).distance;
    for (int v = 0; v < cost_.nodes; ++v) least_height = std::max(least_height, earliest[v] + own_[v]);
    if (edges + weight_ * least_height >= best_.value) return;
    const std::vector<double> arrival = arrival_times(tree, hop_);
    int highest = root_;
    for (int v = 0; v < cost_.nodes; ++v)
      if (arrival[v] + own_[v] > arrival[highest] + own_[highest]) highest = v;
    const double height = arrival[highest] + own_[highest];
    if (edges + weight_ * height < best_.value) best_ = {edges + weight_ * height, tree};
    if (height > least_height) look_without_edges_of(tree, highest);
  }

  void look_without_edges_of(const Parents& tree, int end) {
    std::vector<int> path;  // without the root, which comes first
    for (int v = end; v != root_; v = tree[v]) path.push_back(v);
    std::ranges::reverse(path);
    const EdgeTable cost = cost_, hop = hop_;
    for (const int v : path) {
      const auto forbid = [&](int u) { cost_.at(u, v) = hop_.at(u, v) = EdgeTable::kNoEdge; };
      forbid(tree[v]);
      look();
      for (int u = 0; u < cost_.nodes; ++u) forbid(u);
      cost_.at(tree[v], v) = cost.at(tree[v], v);
      hop_.at(tree[v], v) = hop.at(tree[v], v);
    }
    cost_ = cost;
    hop_ = hop;
  }

  EdgeTable cost_, hop_;  // without the edges that the trees searched lack
  const std::vector<double>& own_;
  int root_;
  double weight_;
  int& steps_;
  PricedTree best_;
};

}  // namespace

PricedTree least_tree(const EdgeTable& cost, const EdgeTable& hop, const std::vector<double>& own, int root,
                      double weight, double below, int& steps) {
  return Search(cost, hop, own, root, weight, below, steps).best();
}

}  // namespace isthmus
