// The linear programme against minimum cuts of small graphs, and with numbers of very different sizes.
#include "algorithms/ways/packing_programme.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using ::testing::HasSubstr;

constexpr int kNodes = 4;
constexpr double kNoEdgeCost = std::numeric_limits<double>::infinity();

int row_of(int from, int to) { return from * kNodes + to; }

/// All trees out of `root`: the parent of each node.
std::vector<std::vector<int>> all_trees(int root) {
  std::vector<std::vector<int>> trees;
  for (int code = 0; code < kNodes * kNodes * kNodes * kNodes; ++code) {
    std::vector<int> parent;
    for (int v = 0, rest = code; v < kNodes; ++v, rest /= kNodes) parent.push_back(rest % kNodes);
    if (parent[root] != root) continue;
    bool good = true;
    for (int v = 0; v < kNodes; ++v) {
      int up = v;
      for (int step = 0; step < kNodes; ++step) up = parent[up];
      good = good && up == root;
    }
    if (good) trees.push_back(parent);
  }
  return trees;
}

double minimum_cut(const std::vector<double>& capacity, int root) {
  double least = kNoEdgeCost;
  for (int inside = 0; inside < 1 << kNodes; ++inside) {
    if ((inside >> root & 1) == 0 || inside == (1 << kNodes) - 1) continue;
    double cut = 0;
    for (int u = 0; u < kNodes; ++u)
      for (int v = 0; v < kNodes; ++v)
        if (u != v && (inside >> u & 1) != 0 && (inside >> v & 1) == 0) cut += capacity[row_of(u, v)];
    least = std::min(least, cut);
  }
  return least;
}

/// Prices by looking at every tree out of each root.
PriceColumns by_enumeration(const std::vector<int>& roots) {
  return [roots](const ProgrammePrices& prices) {
    std::vector<ProgrammeColumn> columns;
    for (std::size_t c = 0; c < roots.size(); ++c) {
      ProgrammeColumn best;
      double least = kNoEdgeCost;
      for (const std::vector<int>& parent : all_trees(roots[c])) {
        ProgrammeColumn column;
        column.commodity = static_cast<int>(c);
        double cost = 0;
        for (int v = 0; v < kNodes; ++v) {
          if (v == roots[c]) continue;
          column.loads.push_back({row_of(parent[v], v), 1});
          cost += prices.row[row_of(parent[v], v)];
        }
        if (cost < least) {
          least = cost;
          best = column;
        }
      }
      columns.push_back(best);
    }
    return columns;
  };
}

std::vector<double> random_capacity(std::mt19937& random, double factor) {
  std::vector<double> capacity(kNodes * kNodes);
  for (double& c : capacity) c = factor * static_cast<double>(1 + random() % 20);
  return capacity;
}

TEST(PackingProgramme, ReachesTheMinimumCut) {
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    const std::vector<double> capacity = random_capacity(random, 5e5);
    PackingProgramme programme(capacity, {1});
    const ProgrammeSolution solution = programme.solve(by_enumeration({0}));
    const double cut = minimum_cut(capacity, 0);
    EXPECT_TRUE(solution.finished);
    EXPECT_NEAR(solution.theta / cut, 1, 1e-7);
    EXPECT_GE(solution.bound, cut * (1 - 1e-9));
    EXPECT_NEAR(solution.bound / cut, 1, 1e-7);
  }
}

TEST(PackingProgramme, AmountsFitTheCapacitiesAndServeTheDemands) {
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> capacity = random_capacity(random, 1e6);
    const std::vector<double> demand{1, 3, 2, 5};
    PackingProgramme programme(capacity, demand);
    const ProgrammeSolution solution = programme.solve(by_enumeration({0, 1, 2, 3}));
    std::vector<double> used(capacity.size()), served(demand.size());
    for (std::size_t j = 0; j < programme.columns().size(); ++j) {
      const ProgrammeColumn& column = programme.columns()[j];
      served[column.commodity] += solution.amounts[j];
      for (const RowLoad& load : column.loads) used[load.row] += load.amount * solution.amounts[j];
    }
    for (std::size_t row = 0; row < capacity.size(); ++row) EXPECT_LE(used[row], capacity[row] * (1 + 1e-7));
    for (std::size_t c = 0; c < demand.size(); ++c) EXPECT_GE(served[c], demand[c] * solution.theta * (1 - 1e-7));
    EXPECT_NEAR(solution.bound / solution.theta, 1, 1e-7);
  }
}

TEST(PackingProgramme, HoldsCapacitiesOfTwentyOneOrdersOfMagnitude) {
  std::vector<double> capacity(kNodes * kNodes, 1e12);
  for (int v = 0; v < kNodes; ++v) capacity[row_of(v, 3)] = 1e-9;  // node 3 hears little
  PackingProgramme slow(capacity, {1});
  EXPECT_NEAR(slow.solve(by_enumeration({0})).theta / 3e-9, 1, 1e-7);
  // Node 3 may be the only one that little leaves, too.
  std::vector<double> turned(kNodes * kNodes, 1e12);
  for (int v = 0; v < kNodes; ++v) turned[row_of(3, v)] = 1e-9;
  PackingProgramme fast(turned, {1});
  EXPECT_NEAR(fast.solve(by_enumeration({0})).theta / 2e12, 1, 1e-7);
}

TEST(PackingProgramme, KeepsItsBasisWhenGainsChange) {
  std::mt19937 random(3);
  const std::vector<double> capacity = random_capacity(random, 1e6);
  const PriceColumns price_columns = by_enumeration({0});
  PackingProgramme programme(capacity, {1});
  const double theta = programme.solve(price_columns).theta;
  for (std::size_t j = 0; j < programme.columns().size(); ++j) programme.set_gain(static_cast<int>(j), 0.5);
  const ProgrammeSolution halved = programme.solve([&](const ProgrammePrices& prices) {
    std::vector<ProgrammeColumn> columns = price_columns(prices);
    for (ProgrammeColumn& column : columns) column.gain = 0.5;
    return columns;
  });
  EXPECT_NEAR(halved.theta / theta, 0.5, 1e-7);
  // One round proves the old prices anew; those that follow find nothing worth adding.
  EXPECT_LE(halved.rounds, 4);
}

TEST(PackingProgramme, WithThriftTakesOfEqualWaysTheOneThatFillsLess) {
  // Row 0 limits both ways; the second one needs two rows more.
  const auto solved = [](double thrift, double capacity) {
    PackingProgramme programme({1, capacity, capacity}, {1});
    programme.add({0, 1, {{0, 1}, {1, 1}, {2, 1}}, 0});
    programme.add({0, 1, {{0, 1}}, 1});
    programme.set_thrift(thrift);
    return programme.solve([](const ProgrammePrices&) { return std::vector<ProgrammeColumn>{}; });
  };
  for (const double capacity : {0.999999, 1.0, 1.000001}) {
    const ProgrammeSolution solution = solved(1e-3, capacity);
    EXPECT_TRUE(solution.finished);
    EXPECT_NEAR(solution.theta, 1, 1e-6);
    EXPECT_NEAR(solution.amounts[0], 0, 1e-6);
    EXPECT_NEAR(solution.amounts[1], 1, 1e-6);
  }
  EXPECT_THROW(solved(-1, 1), BadInput);
}

TEST(PackingProgramme, WithThriftLosesNoMoreThanTheRowsCost) {
  constexpr double thrift = 1e-3;
  std::mt19937 random(5);
  for (int i = 0; i < 20; ++i) {
    std::vector<double> capacity(kNodes * kNodes);
    for (double& of_edge : capacity) of_edge = 1 + static_cast<double>(random() % 20);
    PackingProgramme programme(capacity, {1});
    programme.set_thrift(thrift);
    const ProgrammeSolution solution = programme.solve(by_enumeration({0}));
    EXPECT_TRUE(solution.finished);
    const double most = minimum_cut(capacity, 0);
    EXPECT_LE(solution.theta, most * (1 + 1e-6));
    EXPECT_GE(solution.theta, most - thrift * static_cast<double>(capacity.size()));
    EXPECT_GE(solution.bound, most * (1 - 1e-6));
  }
}

TEST(PackingProgramme, SaysThatItsBudgetWasUsedUp) {
  std::mt19937 random(4);
  const std::vector<double> capacity = random_capacity(random, 1e6);
  PackingProgramme whole(capacity, {1, 1});
  const ProgrammeSolution best = whole.solve(by_enumeration({0, 1}));
  PackingProgramme programme(capacity, {1, 1});
  const ProgrammeSolution solution = programme.solve(by_enumeration({0, 1}), {.rounds = 2});
  EXPECT_FALSE(solution.finished);
  EXPECT_GT(solution.theta, 0);
  EXPECT_LT(solution.theta, best.theta);
  EXPECT_GE(solution.bound, best.theta);
  // It goes on from there.
  EXPECT_NEAR(programme.solve(by_enumeration({0, 1})).theta / best.theta, 1, 1e-7);
}

TEST(PackingProgramme, IsZeroIfACommodityHasNoWay) {
  PackingProgramme programme({1, 1}, {1, 1});
  const ProgrammeSolution solution = programme.solve([](const ProgrammePrices&) {
    return std::vector<ProgrammeColumn>{{.commodity = 0, .loads = {{0, 1}}}};
  });
  EXPECT_EQ(solution.theta, 0);
  EXPECT_TRUE(solution.finished);
}

TEST(PackingProgramme, GivesEqualResultsBitForBit) {
  std::mt19937 random(5);
  const std::vector<double> capacity = random_capacity(random, 1e6);
  PackingProgramme one(capacity, {1, 2, 3}), two(capacity, {1, 2, 3});
  const ProgrammeSolution a = one.solve(by_enumeration({0, 1, 2})), b = two.solve(by_enumeration({0, 1, 2}));
  EXPECT_EQ(a.theta, b.theta);
  EXPECT_EQ(a.amounts, b.amounts);
}

TEST(PackingProgramme, RefusesNumbersThatAreNone) {
  EXPECT_THROW(PackingProgramme({0}, {1}), BadInput);
  EXPECT_THROW(PackingProgramme({1}, {-1}), BadInput);
  EXPECT_THROW(PackingProgramme({std::nan("")}, {1}), BadInput);
  EXPECT_THROW(PackingProgramme({kNoEdgeCost}, {1}), BadInput);
  EXPECT_THROW(PackingProgramme({1}, {}), BadInput);
  PackingProgramme programme({1}, {1});
  EXPECT_THROW(programme.add({.commodity = 1, .loads = {{0, 1}}}), BadInput);
  EXPECT_THROW(programme.add({.loads = {{1, 1}}}), BadInput);
  EXPECT_THROW(programme.add({.loads = {}}), BadInput);
  EXPECT_THROW(programme.add({.loads = {{0, 0}}}), BadInput);
  try {
    PackingProgramme({1, -2}, {1});
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("number 1"));
  }
}

}  // namespace
}  // namespace isthmus
