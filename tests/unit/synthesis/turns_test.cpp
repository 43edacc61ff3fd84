// Ways that take turns on a link.
#include "algorithms/synthesis/turns.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace isthmus {
namespace {

CandidateWay way_of(int commodity, double latency_s, std::vector<RowLoad> loads) {
  return {{.way = {}, .commodity = commodity, .latency_s = latency_s}, std::move(loads)};
}

// 6 bytes with 4 s to go and 4 bytes with none over a link of 1 B/s: by rates they take 12.7 s, in turns 10.
TEST(InTurns, BytesWithFartherToGoPassFirst) {
  const std::vector<Fluid> found =
      in_turns({way_of(0, 4, {{0, 1}}), way_of(1, 0, {{0, 1}})}, {1}, {6, 4}, 7 + std::sqrt(33), 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].seconds, 7 + std::sqrt(33), 1e-12);
  EXPECT_NEAR(found[1].seconds, 10, 0.02);
  for (const Fluid& fluid : found) {
    ASSERT_EQ(fluid.ways.size(), 2U);
    EXPECT_NEAR(fluid.ways[0].bytes, 6, 1e-6);
    EXPECT_NEAR(fluid.ways[1].bytes, 4, 1e-6);
  }
}

// 20 bytes over two links of 1 B/s, one of which has 4 s more to go: 12 bytes and 8 are there after 12 s.
TEST(InTurns, AShorterWayCarriesMore) {
  const std::vector<Fluid> found = in_turns({way_of(0, 0, {{0, 1}}), way_of(0, 4, {{1, 1}})}, {1, 1}, {20}, 20, 0);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[1].seconds, 12, 0.03);
  EXPECT_NEAR(found[1].ways[0].bytes, 12, 0.05);
  EXPECT_NEAR(found[1].ways[1].bytes, 8, 0.05);
}

// Either way serves 5 bytes as soon; the second uses one link less.
TEST(InTurns, ThriftTakesTheWayThatUsesLeast) {
  const std::vector<CandidateWay> ways{way_of(0, 0, {{0, 1}, {1, 1}}), way_of(0, 0, {{0, 1}})};
  const std::vector<Fluid> found = in_turns(ways, {1, 1}, {5}, 10, 0.05);
  ASSERT_FALSE(found.empty());
  ASSERT_EQ(found.back().ways.size(), 1U);
  EXPECT_EQ(found.back().ways[0].bytes, 5);
}

TEST(InTurns, NothingIsFoundForWhatNoWayServesInTime) {
  EXPECT_TRUE(in_turns({}, {1}, {1}, 1, 0).empty());
  EXPECT_TRUE(in_turns({way_of(0, 2, {{0, 1}})}, {1}, {1}, 1, 0).empty());
  EXPECT_TRUE(in_turns({way_of(0, 0, {{0, 1}})}, {1}, {2}, 1, 0).empty());
}

}  // namespace
}  // namespace isthmus
