// Ways that take turns on a link.
#include "algorithms/ways/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace isthmus {
namespace {

/// A way over one link, which has so many seconds to go from there.
WayInTurn over_link(int commodity, int link, double tail_s) {
  return {.commodity = commodity, .latency_s = tail_s, .loads = {{link, 1, 0, tail_s}}};
}

// 6 bytes with 4 s to go and 4 bytes with none over a link of 1 B/s: by rates they take 12.7 s, in turns 10.
TEST(InTurns, BytesWithFartherToGoPassFirst) {
  const double by_rates_s = 7 + std::sqrt(33);
  const std::vector<Turns> found = in_turns({over_link(0, 0, 4), over_link(1, 0, 0)}, {1}, {6, 4}, by_rates_s, 0);
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
  const std::vector<Turns> found = in_turns({over_link(0, 0, 0), over_link(0, 1, 4)}, {1, 1}, {20}, 20, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[1].horizon_s, 12, 0.03);
  EXPECT_NEAR(found[1].bytes[0], 12, 0.05);
  EXPECT_NEAR(found[1].bytes[1], 8, 0.05);
}

// 6 bytes come to the link after 4 s, 4 bytes have 4 s to go from it: the link can be busy all the time.
TEST(InTurns, ALinkPassesWhatHasToGoFartherBeforeTheRestComes) {
  const WayInTurn late{.commodity = 0, .latency_s = 4, .loads = {{0, 1, 4, 0}}};
  const std::vector<Turns> found = in_turns({late, over_link(1, 0, 4)}, {1}, {6, 4}, 20, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[1].horizon_s, 10, 0.03);
}

// Either way serves 5 bytes as soon; the second uses one link less.
TEST(InTurns, ThriftTakesTheWayThatUsesLeast) {
  const WayInTurn over_both{.commodity = 0, .latency_s = 0, .loads = {{0, 1, 0, 0}, {1, 1, 0, 0}}};
  const std::vector<Turns> found = in_turns({over_both, over_link(0, 0, 0)}, {1, 1}, {5}, 10, 0.05);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back().bytes, (std::vector<double>{0, 5}));
}

TEST(InTurns, NothingIsFoundForWhatNoWayServesInTime) {
  EXPECT_TRUE(in_turns({}, {1}, {1}, 1, 0).empty());
  EXPECT_TRUE(in_turns({over_link(0, 0, 0)}, {1}, {1}, std::numeric_limits<double>::infinity(), 0).empty());
  EXPECT_TRUE(in_turns({over_link(0, 0, 2)}, {1}, {1}, 1, 0).empty());
  EXPECT_TRUE(in_turns({over_link(0, 0, 0)}, {1}, {2}, 1, 0).empty());
}

}  // namespace
}  // namespace isthmus
