// The subnets of ECO: its rule exactly, and its fault tolerance.
#include "algorithms/measuring/eco_subnets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using SubnetLists = std::vector<std::vector<int>>;
using Distances = std::map<std::pair<int, int>, double>;

Distance among(const Distances& distances, double others) {
  return [=](int from, int to) {
    const auto found = distances.find(std::minmax(from, to));
    return found == distances.end() ? others : found->second;
  };
}

TEST(EcoSubnets, JoinAPairWithinTheThresholdOfBothPointsAndBothSubnets) {
  // 1.2 times the nearest is still joined, more is not.
  EXPECT_EQ(eco_subnets(3, among({{{0, 1}, 1.0}, {{1, 2}, 1.2}}, 5)), (SubnetLists{{0, 1, 2}}));
  EXPECT_EQ(eco_subnets(3, among({{{0, 1}, 1.0}, {{1, 2}, 1.21}}, 5)), (SubnetLists{{0, 1}, {2}}));
  // Of the pair 1-2 both points have it within 20 % of their nearest, but the subnet of 0 and 1 does
  // not: 1.0, 1.2, 1.4.
  const Distances steps{{{0, 1}, 1.0}, {{1, 2}, 1.2}, {{2, 3}, 1.4}};
  EXPECT_EQ(eco_subnets(4, among(steps, 9)), (SubnetLists{{0, 1, 2}, {3}}));
  // A subnet that is joined keeps the shortest of both distances.
  const Distances two{{{0, 1}, 1.0}, {{2, 3}, 1.1}, {{1, 2}, 1.15}, {{3, 4}, 1.25}};
  EXPECT_EQ(eco_subnets(5, among(two, 9)), (SubnetLists{{0, 1, 2, 3}, {4}}));
}

TEST(EcoSubnets, TakeAnotherThreshold) {
  const Distances steps{{{0, 1}, 1.0}, {{1, 2}, 1.5}, {{2, 3}, 1.9}};
  EXPECT_EQ(eco_subnets(4, among(steps, 9)), (SubnetLists{{0, 1}, {2}, {3}}));
  EXPECT_EQ(eco_subnets(4, among(steps, 9), 1.6), (SubnetLists{{0, 1, 2}, {3}}));
  EXPECT_EQ(eco_subnets(4, among(steps, 9), 2), (SubnetLists{{0, 1, 2, 3}}));
}

TEST(EcoSubnets, MakeOneLevelOfAPartition) {
  const Partition found = eco_partition(5, among({{{0, 1}, 1.0}, {{2, 3}, 2.0}}, 9));
  ASSERT_EQ(found.root(), 7);
  EXPECT_EQ(found.children[found.root()], (std::vector<int>{5, 6, 4}));
  EXPECT_EQ(found.points_of(6), (std::vector<int>{2, 3}));
  EXPECT_EQ(eco_partition(3, among({}, 1)).root(), 3) << "one subnet is the whole";
  EXPECT_EQ(eco_partition(1, among({}, 1)).root(), 0);
}

TEST(EcoSubnets, RefuseDistancesThatAreNone) { EXPECT_THROW(eco_subnets(2, among({}, 0)), BadInput); }

/// Subnets of a random network, with distances that differ by up to 4 % inside and are several times as long outside.
struct RandomSubnets {
  explicit RandomSubnets(unsigned seed) : random(seed) {
    std::uniform_int_distribution<int> some(3, 6), sizes(4, 9);
    const int subnets = some(random);
    for (int subnet = 0; subnet < subnets; ++subnet) of.insert(of.end(), sizes(random), subnet);
    std::shuffle(of.begin(), of.end(), random);
    std::uniform_real_distribution<double> spread(1, 1.04), inside(1, 3), outside(5, 20);
    std::vector<double> base(subnets);
    for (double& one : base) one = inside(random);
    for (int a = 0; a < size(); ++a)
      for (int b = a + 1; b < size(); ++b)
        distances[{a, b}] = of[a] == of[b] ? base[of[a]] * spread(random) : 3 * outside(random);
    std::map<int, std::vector<int>> members;
    for (int point = 0; point < size(); ++point) members[of[point]].push_back(point);
    for (const auto& [subnet, points] : members) groups.push_back(points);
    std::ranges::sort(groups);
  }
  int size() const { return static_cast<int>(of.size()); }

  /// Measurements that were too long, as collisions make them: one pair of every point at most.
  void delay_some() {
    std::vector<int> points(of.size());
    for (int point = 0; point < size(); ++point) points[point] = point;
    std::shuffle(points.begin(), points.end(), random);
    std::uniform_real_distribution<double> factor(1.2, 50);
    for (std::size_t i = 0; i + 1 < points.size(); i += 2)
      distances[std::minmax(points[i], points[i + 1])] *= factor(random);
  }

  std::mt19937 random;
  std::vector<int> of;
  Distances distances;
  SubnetLists groups;
};

TEST(EcoSubnets, StayAsTheyAreWhenSomeMeasurementsAreWrong) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomSubnets network(seed);
    ASSERT_EQ(eco_subnets(network.size(), among(network.distances, 0)), network.groups) << seed;
    network.delay_some();
    EXPECT_EQ(eco_subnets(network.size(), among(network.distances, 0)), network.groups) << seed;
  }
}

}  // namespace
}  // namespace isthmus
