// Trees and paths against enumeration.
#include "algorithms/ways/arborescence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "algorithms/ways/least_tree.hpp"

namespace isthmus {
namespace {

/// The least of cost + weight * height over all trees out of the root; infinite if there is none.
double least_of_all(const EdgeTable& cost, const EdgeTable& hop, const std::vector<double>& own, int root,
                    double weight) {
  const int k = cost.nodes;
  double least = EdgeTable::kNoEdge;
  Parents parent(k, 0);
  while (true) {
    bool tree = parent[root] == root;
    double edges = 0;
    for (int v = 0; v < k && tree; ++v) {
      int up = v;
      for (int step = 0; step < k; ++step) up = parent[up];
      tree = up == root;
      if (v != root) edges += cost.at(parent[v], v);
    }
    if (tree && edges < EdgeTable::kNoEdge) least = std::min(least, edges + weight * height(parent, hop, own));
    int v = 0;
    while (v < k && ++parent[v] == k) parent[v++] = 0;
    if (v == k) return least;
  }
}

EdgeTable random_table(std::mt19937& random, int k, double missing) {
  EdgeTable table(k);
  for (int u = 0; u < k; ++u)
    for (int v = 0; v < k; ++v)
      if (u != v && std::uniform_real_distribution(0.0, 1.0)(random) >= missing)
        table.at(u, v) = static_cast<double>(random() % 30);  // equal costs and zeros among them
  return table;
}

/// What each node takes beyond its arrival.
std::vector<double> random_own(std::mt19937& random, int k) {
  std::vector<double> own(k);
  for (double& o : own) o = static_cast<double>(random() % 10);
  return own;
}

double edges_of(const EdgeTable& cost, const Parents& parent) {
  double sum = 0;
  for (int v = 0; v < cost.nodes; ++v)
    if (parent[v] != v) sum += cost.at(parent[v], v);
  return sum;
}

TEST(Arborescence, IsTheCheapestOfAll) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const int k = 1 + i % 5, root = static_cast<int>(random() % k);
    const EdgeTable cost = random_table(random, k, i % 3 == 0 ? 0.6 : 0.1);
    const double least = least_of_all(cost, cost, std::vector<double>(k), root, 0);
    const Parents tree = cheapest_arborescence(cost, root);
    ASSERT_EQ(tree.empty(), least == EdgeTable::kNoEdge);
    if (tree.empty()) continue;
    EXPECT_EQ(tree[root], root);
    EXPECT_DOUBLE_EQ(edges_of(cost, tree), least);
    EXPECT_LT(height(tree, EdgeTable(k, 1), std::vector<double>(k)), k);  // it ends: no cycle is left
  }
}

TEST(Arborescence, OfManyNodesIsAsCheapAsItsDualSays) {
  // Costs a potential apart: every tree costs the same, and nested cycles are contracted on the way.
  std::mt19937 random(2);
  const int k = 60;
  EdgeTable cost(k);
  double sum = 0;
  std::vector<double> potential(k);
  for (double& p : potential) p = static_cast<double>(random() % 1000);
  for (int u = 0; u < k; ++u)
    for (int v = 0; v < k; ++v)
      if (u != v) cost.at(u, v) = potential[v] + (u == 0 ? 5000 : static_cast<double>((u / 4 == v / 4 ? 0 : 100)));
  const Parents tree = cheapest_arborescence(cost, 0);
  for (int v = 1; v < k; ++v) sum += potential[v];
  // One edge leaves the root; each of the other groups of four is entered once.
  EXPECT_DOUBLE_EQ(edges_of(cost, tree), sum + 5000 + 14 * 100);
}

TEST(ShortestPaths, AreShortestAndSayWhatIsOutOfReach) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    const int k = 2 + i % 6;
    const EdgeTable cost = random_table(random, k, 0.5);
    EdgeTable distance = cost;
    for (int v = 0; v < k; ++v) distance.at(v, v) = 0;
    for (int m = 0; m < k; ++m)
      for (int u = 0; u < k; ++u)
        for (int v = 0; v < k; ++v)
          distance.at(u, v) = std::min(distance.at(u, v), distance.at(u, m) + distance.at(m, v));
    const ShortestPaths found = shortest_paths(cost, 0);
    for (int v = 0; v < k; ++v) {
      EXPECT_DOUBLE_EQ(found.distance[v], distance.at(0, v));
      EXPECT_EQ(found.parent[v] == v, v == 0 || distance.at(0, v) == EdgeTable::kNoEdge);
      if (found.parent[v] != v) {
        EXPECT_DOUBLE_EQ(found.distance[found.parent[v]] + cost.at(found.parent[v], v), found.distance[v]);
      }
    }
  }
}

TEST(CheapAndShallowTrees, AreSeldomWorseThanTheBestOfAll) {
  std::mt19937 random(4);
  int exact = 0;
  const int cases = 200;
  for (int i = 0; i < cases; ++i) {
    const int k = 3 + i % 3;
    const EdgeTable cost = random_table(random, k, 0), hop = random_table(random, k, 0);
    const double weight = (i % 4) * 0.7;
    const std::vector<double> own = random_own(random, k);
    const double least = least_of_all(cost, hop, own, 0, weight);
    const std::vector<PricedTree> trees = cheap_and_shallow_trees(cost, hop, own, 0, weight);
    ASSERT_FALSE(trees.empty());
    EXPECT_GE(trees[0].value, least * (1 - 1e-12));
    EXPECT_LE(trees[0].value, least * 1.3 + 1e-9);
    exact += trees[0].value <= least * (1 + 1e-9) ? 1 : 0;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      EXPECT_NEAR(trees[t].value, edges_of(cost, trees[t].parent) + weight * height(trees[t].parent, hop, own), 1e-9);
      EXPECT_LE(trees[t == 0 ? 0 : t - 1].value, trees[t].value);
    }
    EXPECT_TRUE(weight > 0 || trees[0].value <= least + 1e-9);
    const std::vector<PricedTree> quick = cheap_and_shallow_trees(cost, hop, own, 0, weight, TreeSearch::one_mixture);
    ASSERT_FALSE(quick.empty());
    EXPECT_GE(quick[0].value, trees[0].value * (1 - 1e-12));
    EXPECT_LE(quick[0].value, least * 1.3 + 1e-9);
    for (const PricedTree& tree : quick)
      EXPECT_NEAR(tree.value, edges_of(cost, tree.parent) + weight * height(tree.parent, hop, own), 1e-9);
  }
  EXPECT_GE(exact, cases * 9 / 10);
}

TEST(LeastTree, IsTheBestOfAll) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    const int k = 2 + i % 4;
    const EdgeTable cost = random_table(random, k, 0.2), hop = random_table(random, k, 0);
    const double weight = (i % 4) * 0.7;
    const std::vector<double> own = random_own(random, k);
    const double least = least_of_all(cost, hop, own, 0, weight);
    int steps = 1000;
    const PricedTree best = least_tree(cost, hop, own, 0, weight, EdgeTable::kNoEdge, steps);
    EXPECT_GT(steps, 0);
    ASSERT_EQ(best.parent.empty(), least == EdgeTable::kNoEdge);
    if (best.parent.empty()) continue;
    EXPECT_NEAR(best.value, least, 1e-9);
    EXPECT_NEAR(best.value, edges_of(cost, best.parent) + weight * height(best.parent, hop, own), 1e-9);
    EXPECT_TRUE(least_tree(cost, hop, own, 0, weight, least, steps).parent.empty()) << "none is better than the best";
  }
}

TEST(LeastTree, EndsWhenItsStepsAreUsed) {
  std::mt19937 random(6);
  const EdgeTable cost = random_table(random, 12, 0), hop = random_table(random, 12, 0);
  int steps = 3;
  const PricedTree some = least_tree(cost, hop, std::vector<double>(12, 0.0), 0, 5, EdgeTable::kNoEdge, steps);
  EXPECT_EQ(steps, 0);
  EXPECT_FALSE(some.parent.empty());
}

}  // namespace
}  // namespace isthmus
