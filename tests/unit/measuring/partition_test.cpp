// Partition into subnets: recovers the groups of a known tree, for any numbering of its points.
#include "algorithms/measuring/partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using Groups = std::set<std::vector<int>>;

Groups groups_of(const Partition& partition) {
  Groups groups;
  for (int part = partition.points; part <= partition.root(); ++part) groups.insert(partition.points_of(part));
  return groups;
}

/// Points on the leaves of a tree with so many branches at each level, outermost first, in random order; a level is ten
/// times as far as the one inside it, give or take 30 %.
struct KnownTree {
  KnownTree(std::vector<int> branches, unsigned seed) {
    const int points = std::accumulate(branches.begin(), branches.end(), 1, std::multiplies<>());
    place.resize(points);
    std::iota(place.begin(), place.end(), 0);
    std::mt19937 random(seed);
    std::shuffle(place.begin(), place.end(), random);
    std::uniform_real_distribution<double> noise(0.7, 1.3);
    const auto level_between = [&](int one, int other) {
      int level = 0, size = points;
      for (const int count : branches) {
        size /= count;
        if (one / size != other / size) break;
        ++level;
      }
      return level;
    };
    for (int from = 0; from < points; ++from)
      for (int to = 0; to < from; ++to)
        away[{to, from}] = noise(random) * std::pow(10, -level_between(place[from], place[to]));
    for (std::size_t level = 0; level < branches.size(); ++level) {
      const int size = points / std::accumulate(branches.begin(), branches.begin() + level, 1, std::multiplies<>());
      std::map<int, std::vector<int>> members;
      for (int point = 0; point < points; ++point) members[place[point] / size].push_back(point);
      for (const auto& [number, group] : members) groups.insert(group);
    }
  }
  double operator()(int from, int to) {
    asked.insert(std::minmax(from, to));
    return away.at(std::minmax(from, to));
  }

  std::vector<int> place;
  std::map<std::pair<int, int>, double> away;
  Groups groups;
  std::set<std::pair<int, int>> asked;
};

TEST(Partition, FindsTheGroupsOfATreeWithAnyNumberOfLevels) {
  for (const std::vector<int>& branches : {std::vector{2}, {7}, {4, 4}, {2, 3, 4}, {3, 2, 2, 5}, {1, 5}}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      KnownTree tree(branches, seed);
      EXPECT_EQ(groups_of(partition(static_cast<int>(tree.place.size()), std::ref(tree), 2, 1000)), tree.groups);
    }
  }
}

TEST(Partition, FindsThemFromASampleOfTheDistancesWherePointsAreMany) {
  for (const std::vector<int>& branches : {std::vector{200}, {10, 30}, {4, 3, 20}, {3, 40, 2}}) {
    for (unsigned seed = 0; seed < 5; ++seed) {
      KnownTree tree(branches, seed);
      const auto points = static_cast<int>(tree.place.size());
      EXPECT_EQ(groups_of(partition(points, std::ref(tree), 2, 32)), tree.groups) << branches.size() << ' ' << seed;
      const std::size_t innermost = points / branches.back();
      EXPECT_LE(tree.asked.size(), 3 * points + points * innermost);
    }
  }
}

TEST(Partition, KeepsWhatIsAloneOutsideOfGroups) {
  // 0 and 1 are near, 2 far from them, 3 farther still.
  const auto partition_of = [](double alike) {
    return groups_of(partition(
        4, [](int from, int to) { return std::pow(10, std::max(from, to)); }, alike, 32));
  };
  EXPECT_EQ(partition_of(2), (Groups{{0, 1}, {0, 1, 2}, {0, 1, 2, 3}}));
  EXPECT_EQ(partition_of(50), (Groups{{0, 1, 2}, {0, 1, 2, 3}}));
  EXPECT_EQ(partition(
                1, [](int, int) { return 1.0; }, 2, 32)
                .root(),
            0);
}

TEST(Partition, DoesNotJoinWhatIsFarBeforeWhatIsNearHasGrown) {
  // Two machines of two points, 1 apart, make a site; two points alone are two more. The third is nearest to the
  // second, which is nearer to the first.
  const std::vector<int> machine{0, 0, 1, 1, 2, 3};
  const auto distance = [&](int from, int to) {
    const int one = std::min(machine[from], machine[to]), other = std::max(machine[from], machine[to]);
    if (one == other) return 0.01;
    if (other == 1) return 1.0;
    return other == 2 ? 8.0 : one == 2 ? 15.0 : 23.0;
  };
  EXPECT_EQ(groups_of(partition(6, distance, 2, 32)), (Groups{{0, 1}, {2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}));
}

TEST(Partition, RefusesDistancesThatAreNone) {
  EXPECT_THROW(partition(
                   3, [](int, int) { return 0.0; }, 2, 32),
               BadInput);
  EXPECT_THROW(partition(
                   3, [](int, int) { return std::nan(""); }, 2, 32),
               BadInput);
}

}  // namespace
}  // namespace isthmus
