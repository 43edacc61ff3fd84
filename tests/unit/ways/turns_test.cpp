// Ways that take turns on a link.
#include "algorithms/ways/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace isthmus {
namespace {

const std::vector<RowLoad> first_link{{0, 1}}, second_link{{1, 1}}, both_links{{0, 1}, {1, 1}};

// 6 bytes with 4 s to go and 4 bytes with none over a link of 1 B/s: by rates they take 12.7 s, in turns 10.
TEST(InTurns, BytesWithFartherToGoPassFirst) {
  const double by_rates_s = 7 + std::sqrt(33);
  const std::vector<Turns> found = in_turns({{0, 4, first_link}, {1, 0, first_link}}, {1}, {6, 4}, by_rates_s, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].horizon_s, by_rates_s);
  EXPECT_NEAR(found[1].horizon_s, 10, 0.02);
  for (const Turns& turns : found) {
    ASSERT_EQ(turns.bytes.size(), 2U);
    EXPECT_NEAR(turns.bytes[0], 6, 1e-6);
    EXPECT_NEAR(turns.bytes[1], 4, 1e-6);
  }
}

// 20 bytes over two links of 1 B/s, one of which has 4 s more to go: 12 bytes and 8 are there after 12 s.
TEST(InTurns, AShorterWayCarriesMore) {
  const std::vector<Turns> found = in_turns({{0, 0, first_link}, {0, 4, second_link}}, {1, 1}, {20}, 20, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[1].horizon_s, 12, 0.03);
  EXPECT_NEAR(found[1].bytes[0], 12, 0.05);
  EXPECT_NEAR(found[1].bytes[1], 8, 0.05);
}

// Either way serves 5 bytes as soon; the second uses one link less.
TEST(InTurns, ThriftTakesTheWayThatUsesLeast) {
  const std::vector<Turns> found = in_turns({{0, 0, both_links}, {0, 0, first_link}}, {1, 1}, {5}, 10, 0.05);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().bytes, (std::vector<double>{0, 5}));
}

TEST(InTurns, NothingIsFoundForWhatNoWayServesInTime) {
  EXPECT_TRUE(in_turns({}, {1}, {1}, 1, 0).empty());
  EXPECT_TRUE(in_turns({{0, 0, first_link}}, {1}, {1}, std::numeric_limits<double>::infinity(), 0).empty());
  EXPECT_TRUE(in_turns({{0, 2, first_link}}, {1}, {1}, 1, 0).empty());
  EXPECT_TRUE(in_turns({{0, 0, first_link}}, {1}, {2}, 1, 0).empty());
}

}  // namespace
}  // namespace isthmus
