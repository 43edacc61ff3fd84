// The linear programme against minimum cuts of small graphs, and with numbers of very different sizes.
#include "algorithms/ways/packing_programme.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

/// The column of a tree out of a root, or of the same tree turned, into it.
ProgrammeColumn column_of_tree(const std::vector<int>& parent, int root, bool turned) {
  ProgrammeColumn column;
  for (int v = 0; v < kNodes; ++v)
    if (v != root) column.loads.push_back({turned ? row_of(v, parent[v]) : row_of(parent[v], v), 1});
  return column;
}

/// Every tree into each root as a first half, with gains below 0, and every tree out of it as a second one.
std::vector<ProgrammeColumn> all_halves() {
  std::vector<ProgrammeColumn> halves;
  for (int root = 0; root < kNodes; ++root)
    for (const std::vector<int>& parent : all_trees(root))
      for (const bool turned : {true, false}) {
        ProgrammeColumn& half = halves.emplace_back(column_of_tree(parent, root, turned));
        half.part = turned ? ColumnPart::first_half : ColumnPart::second_half;
        half.junction = root;
        half.gain = turned ? -0.05 * parent[(root + 1) % kNodes] : 1 - 0.1 * parent[(root + 2) % kNodes];
      }
  return halves;
}

TEST(PackingProgramme, HalvesThatMeetStandForAllTheirPairs) {
  std::mt19937 random(6);
  const std::vector<ProgrammeColumn> halves = all_halves();
  const auto nothing_more = [](const ProgrammePrices&) { return std::vector<ProgrammeColumn>{}; };
  for (int i = 0; i < 5; ++i) {
    const std::vector<double> capacity = random_capacity(random, 1e6);
    PackingProgramme by_halves(capacity, {1}, kNodes), by_pairs(capacity, {1});
    for (const ProgrammeColumn& half : halves) by_halves.add(half);
    for (const ProgrammeColumn& in : halves)
      for (const ProgrammeColumn& out : halves) {
        if (in.part != ColumnPart::first_half || out.part != ColumnPart::second_half || in.junction != out.junction)
          continue;
        ProgrammeColumn pair{.commodity = 0, .gain = in.gain + out.gain, .loads = in.loads};
        for (const RowLoad& load : out.loads) {
          const auto same = [&](const RowLoad& one) { return one.row == load.row; };
          const auto there = std::ranges::find_if(pair.loads, same);
          if (there == pair.loads.end())
            pair.loads.push_back(load);
          else
            there->amount += load.amount;
        }
        by_pairs.add(pair);
      }
    const ProgrammeSolution solution = by_halves.solve(nothing_more);
    EXPECT_TRUE(solution.finished);
    EXPECT_NEAR(solution.theta / by_pairs.solve(nothing_more).theta, 1, 1e-7);
    // As much comes to a junction as leaves it.
    std::vector<double> left(kNodes);
    for (std::size_t j = 0; j < halves.size(); ++j)
      left[halves[j].junction] += (halves[j].part == ColumnPart::first_half ? 1 : -1) * solution.amounts[j];
    for (const double amount : left) EXPECT_GE(amount, -1e-7 * solution.theta);
  }
}

TEST(PackingProgramme, HalvesArePricedToTheOptimum) {
  std::mt19937 random(7);
  const std::vector<ProgrammeColumn> halves = all_halves();
  const PriceColumns cheapest_halves = [&](const ProgrammePrices& prices) {
    std::vector<ProgrammeColumn> cheapest(2 * kNodes);
    std::vector<double> least(2 * kNodes, kNoEdgeCost);
    for (const ProgrammeColumn& half : halves) {
      const int place = 2 * half.junction + (half.part == ColumnPart::first_half ? 0 : 1);
      double cost = -prices.worth[0] * half.gain;
      for (const RowLoad& load : half.loads) cost += prices.row[load.row] * load.amount;
      if (cost >= least[place]) continue;
      least[place] = cost;
      cheapest[place] = half;
    }
    return cheapest;
  };
  for (int i = 0; i < 20; ++i) {
    const std::vector<double> capacity = random_capacity(random, 1e6);
    PackingProgramme priced(capacity, {1}, kNodes), whole(capacity, {1}, kNodes);
    for (const ProgrammeColumn& half : halves) whole.add(half);
    const double most = whole.solve([](const ProgrammePrices&) { return std::vector<ProgrammeColumn>{}; }).theta;
    const ProgrammeSolution solution = priced.solve(cheapest_halves);
    EXPECT_TRUE(solution.finished);
    EXPECT_NEAR(solution.theta / most, 1, 1e-7);
    EXPECT_LT(priced.columns().size(), halves.size());
  }
}

TEST(PackingProgramme, EndsSoonerWhereItIsToldWhatLimitsIt) {
  std::mt19937 random(8);
  int told = 0, not_told = 0;
  for (int i = 0; i < 20; ++i) {
    // Little enters node 3: the edges into it are the least cut.
    std::vector<double> capacity = random_capacity(random, 1e6);
    ProgrammePrices cut{std::vector<double>(capacity.size()), {1}};
    for (int v = 0; v < 3; ++v) {
      capacity[row_of(v, 3)] = 1e5 * (1 + v);
      cut.row[row_of(v, 3)] = 1;
    }
    constexpr double tolerance = 0.02;
    PackingProgramme with(capacity, {1}), without(capacity, {1});
    with.guess(cut);
    const ProgrammeSolution solution = with.solve(by_enumeration({0}), {.tolerance = tolerance});
    EXPECT_NEAR(solution.bound / minimum_cut(capacity, 0), 1, 1e-9);
    EXPECT_GE(solution.theta, solution.bound * (1 - tolerance) * (1 - 1e-9));
    told += solution.rounds;
    not_told += without.solve(by_enumeration({0}), {.tolerance = tolerance}).rounds;
  }
  EXPECT_LT(told, not_told);
}

TEST(PackingProgramme, EndsMidwayWithinItsTolerance) {
  std::mt19937 random(9);
  for (const double tolerance : {0.3, 0.01, 1e-9}) {
    const std::vector<double> capacity = random_capacity(random, 1e6);
    PackingProgramme programme(capacity, {1, 2});
    const ProgrammeSolution solution =
        programme.solve(by_enumeration({0, 1}), {.tolerance = tolerance, .midway = true});
    PackingProgramme whole(capacity, {1, 2});
    const double most = whole.solve(by_enumeration({0, 1})).theta;
    EXPECT_TRUE(solution.finished);
    EXPECT_LE(solution.theta, most * (1 + 1e-9));
    EXPECT_GE(solution.theta, most * (1 - tolerance) * (1 - 1e-8));
    // It goes on from there.
    EXPECT_NEAR(programme.solve(by_enumeration({0, 1})).theta / most, 1, 1e-7);
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
  EXPECT_THROW(programme.add({.gain = -1, .loads = {{0, 1}}}), BadInput);
  EXPECT_THROW(programme.add({.loads = {{0, 1}}, .part = ColumnPart::first_half, .junction = 0}), BadInput);
  try {
    PackingProgramme({1, -2}, {1});
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("number 1"));
  }
}

}  // namespace
}  // namespace isthmus
