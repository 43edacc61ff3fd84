// Trees in and out become ways that carry what they carried.
#include "algorithms/synthesis/shares.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace isthmus {
namespace {

FluidWay half(std::vector<int> tree, bool in, double latency_s, double rate_Bps) {
  FluidWay made;
  (in ? made.timed.way.sites : made.timed.way.back) = std::move(tree);
  (in ? made.timed.way.apart : made.timed.way.back_apart) = {1};
  made.timed.latency_s = latency_s;
  made.rate_Bps = rate_Bps;
  return made;
}

TEST(JoinedHalves, CarryWhatEachTreeCarried) {
  const std::vector<std::vector<int>> to_0{{0, 0, 0}, {0, 0, 1}, {0, 2, 0}}, to_1{{1, 1, 1}, {1, 1, 0}};
  Fluid fluid;
  fluid.ways = {half(to_0[0], true, 0.1, 5),  half(to_0[1], true, 0.3, 2), half(to_1[0], false, 0.2, 4),
                half(to_0[2], false, 0.4, 3), half(to_1[1], true, 0.1, 4), half(to_0[0], false, 0.1, 4)};
  join_halves(fluid);
  std::map<std::vector<int>, double> in, out;
  for (const FluidWay& way : fluid.ways) {
    EXPECT_GT(way.rate_Bps, 0);
    EXPECT_EQ(way.timed.way.apart, std::vector<int>{1});
    EXPECT_EQ(way.timed.way.back_apart, std::vector<int>{1});
    in[way.timed.way.sites] += way.rate_Bps;
    out[way.timed.way.back] += way.rate_Bps;
  }
  EXPECT_EQ(in, (std::map<std::vector<int>, double>{{to_0[0], 5}, {to_0[1], 2}, {to_1[1], 4}}));
  EXPECT_EQ(out, (std::map<std::vector<int>, double>{{to_0[2], 3}, {to_0[0], 4}, {to_1[0], 4}}));
  // The longest with the shortest: 0.1 + 0.4 (3), 0.1 + 0.1 (2), 0.3 + 0.1 (2), and 0.1 + 0.2 (4) of the other root.
  ASSERT_EQ(fluid.ways.size(), 4U);
  EXPECT_NEAR(fluid.ways[0].timed.latency_s, 0.5, 1e-12);
  EXPECT_NEAR(fluid.ways[1].timed.latency_s, 0.2, 1e-12);
  EXPECT_NEAR(fluid.ways[2].timed.latency_s, 0.4, 1e-12);
  EXPECT_NEAR(fluid.ways[3].timed.latency_s, 0.3, 1e-12);
}

TEST(JoinedHalves, LeaveOutWhatNothingMeets) {
  Fluid fluid;
  fluid.ways = {half({0, 0}, true, 0.1, 5), half({0, 0}, false, 0.1, 3), half({1, 1}, true, 0.1, 2)};
  join_halves(fluid);
  ASSERT_EQ(fluid.ways.size(), 1U);
  EXPECT_EQ(fluid.ways[0].rate_Bps, 3);
}

}  // namespace
}  // namespace isthmus
