// The tree of groups: depth where it shortens the description of the distances, and nowhere else.
#include "algorithms/measuring/group_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using InnerGroups = std::vector<std::vector<int>>;

/// The points of every group but that of all, by their lowest points.
InnerGroups inner_groups_of(const Partition& tree) {
  InnerGroups groups;
  for (int group = tree.points; group < tree.root(); ++group) groups.push_back(tree.points_of(group));
  std::ranges::sort(groups);
  return groups;
}

TEST(GroupTree, SitesThatSeeOthersAtDifferentDistancesStaySideBySide) {
  const double between[4][4] = {{0, 38, 58, 87}, {38, 0, 92, 110}, {58, 92, 0, 160}, {87, 110, 160, 0}};
  const Distance distance = [&](int from, int to) { return from / 4 == to / 4 ? 0.05 : between[from / 4][to / 4]; };
  EXPECT_EQ(inner_groups_of(group_tree(16, distance, {})),
            (InnerGroups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
}

TEST(GroupTree, GroupsThatSeeAllOthersAlikeAreGroupsWithinGroups) {
  const Distance distance = [](int from, int to) {
    return from / 2 == to / 2 ? 1.0 : from / 6 == to / 6 ? 10.0 : 1000.0;
  };
  EXPECT_EQ(inner_groups_of(group_tree(18, distance, {})), (InnerGroups{{0, 1},
                                                                        {0, 1, 2, 3, 4, 5},
                                                                        {2, 3},
                                                                        {4, 5},
                                                                        {6, 7},
                                                                        {6, 7, 8, 9, 10, 11},
                                                                        {8, 9},
                                                                        {10, 11},
                                                                        {12, 13},
                                                                        {12, 13, 14, 15, 16, 17},
                                                                        {14, 15},
                                                                        {16, 17}}));
}

TEST(GroupTree, EqualDistancesAreOneGroup) {
  EXPECT_TRUE(inner_groups_of(group_tree(9, [](int, int) { return 3.0; }, {})).empty());
  EXPECT_EQ(group_tree(2, [](int, int) { return 3.0; }, {}).children.back(), (std::vector<int>{0, 1}));
}

TEST(GroupTree, JitterOfSmallDistancesMakesNoGroups) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<double> jitter(144);
    for (double& one : jitter) one = std::uniform_real_distribution(0.0, 30.0)(random);
    const Distance distance = [&](int from, int to) {
      const double base = from / 6 == to / 6 ? 40.0 : 5000.0;
      return base + jitter[std::min(from, to) * 12 + std::max(from, to)];
    };
    EXPECT_EQ(inner_groups_of(group_tree(12, distance, {.jitter = 15})),
              (InnerGroups{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}}))
        << seed;
  }
}

TEST(GroupTree, RefusesDistancesThatAreNone) {
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(group_tree(3, [=](int, int to) { return to == 2 ? wrong : 1.0; }, {}), BadInput);
}

}  // namespace
}  // namespace isthmus
