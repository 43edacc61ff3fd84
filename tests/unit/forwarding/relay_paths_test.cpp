#include "algorithms/forwarding/relay_paths.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

// 0 and 1 reach 2 and 3, which reach 4; 5 is reached by 4 alone.
const std::vector<std::vector<int>> joined_twice = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3, 4}, {0, 1, 2, 4}, {2, 3, 5}, {4}};

TEST(RelayPaths, GoThroughEachGateway) {
  const RelayPaths paths(joined_twice);
  EXPECT_EQ(paths.shortest(0, 1), (std::vector<std::vector<int>>{{0, 1}}));
  EXPECT_EQ(paths.shortest(0, 4), (std::vector<std::vector<int>>{{0, 2, 4}, {0, 3, 4}}));
  EXPECT_EQ(paths.shortest(0, 5), (std::vector<std::vector<int>>{{0, 2, 4, 5}, {0, 3, 4, 5}}));
  EXPECT_EQ(paths.shortest(0, 5, 1).size(), 1U);
}

TEST(RelayPaths, AvoidLostEdgesUntilTheHostIsBack) {
  RelayPaths paths(joined_twice);
  EXPECT_TRUE(paths.lose(4, 2));
  EXPECT_FALSE(paths.lose(2, 4));
  EXPECT_EQ(paths.shortest(0, 4), (std::vector<std::vector<int>>{{0, 3, 4}}));
  EXPECT_TRUE(paths.lose(3, 4));
  EXPECT_TRUE(paths.shortest(0, 4).empty());
  EXPECT_EQ(paths.hops_from(0), (std::vector<int>{0, 1, 1, 1, -1, -1}));
  paths.restore(2);
  EXPECT_EQ(paths.shortest(0, 4), (std::vector<std::vector<int>>{{0, 2, 4}}));
}

}  // namespace
}  // namespace isthmus
