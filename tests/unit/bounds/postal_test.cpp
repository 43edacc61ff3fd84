#include "algorithms/bounds/postal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace isthmus::bounds {
namespace {

constexpr double nothing = std::numeric_limits<double>::infinity();

double alone_s(double gap_s, double latency_s, double hosts) {
  return spreading_s({.gap_s = gap_s, .latency_s = latency_s, .inflow_gap_s = nothing}, hosts);
}

/// The least time to reach all hosts, by trying for every host that still sends whether it goes on: a list of the
/// times at which hosts can begin their next message; always the earliest is used, which is optimal.
double greedy_s(double gap_s, double latency_s, int hosts) {
  std::vector<double> ready = {0};
  double end_s = 0;
  for (int told = 1; told < hosts; ++told) {
    const auto next = std::ranges::min_element(ready);
    const double heard_s = *next + latency_s;
    *next += gap_s;
    ready.push_back(heard_s);
    end_s = std::max(end_s, heard_s);
  }
  return end_s;
}

TEST(Postal, DoublesWhereAMessageTakesJustItsGap) {
  for (int rounds = 0; rounds < 20; ++rounds) EXPECT_NEAR(alone_s(1, 1, std::exp2(rounds)), rounds, 1e-9);
}

TEST(Postal, GrowsLikeFibonacciWhereAMessageTakesTwoGaps) {
  double before = 1, now = 1;  // at times 0 and 1
  for (int time = 1; time < 25; ++time) {
    EXPECT_NEAR(alone_s(1, 2, now + 0.5), time + 1, 1e-9);  // more than what is reached by `time`
    before = std::exchange(now, now + before);
  }
}

TEST(Postal, IsTheOptimalBroadcast) {
  for (const double latency_s : {0.5, 1.0, 1.7, 5.0, 42.0})
    for (int hosts = 1; hosts <= 300; hosts = hosts * 3 / 2 + 1)
      EXPECT_NEAR(alone_s(1, latency_s, hosts), greedy_s(1, latency_s, hosts), 1e-6) << latency_s << " " << hosts;
}

TEST(Postal, WithoutAGapAllHearAtOnce) { EXPECT_NEAR(alone_s(0, 3, 1e6), 3, 1e-9); }

TEST(Postal, HostsHearFromOutsideToo) {
  const PostalModel outside = {.gap_s = 1, .latency_s = 100, .start = 0, .inflow_from_s = 10, .inflow_gap_s = 2};
  EXPECT_NEAR(spreading_s(outside, 5), 20, 1e-9);
  const PostalModel quick = {.gap_s = 1, .latency_s = 1, .start = 0, .inflow_from_s = 10, .inflow_gap_s = 1e9};
  EXPECT_NEAR(spreading_s(quick, 8), 1e9 + 13, 1e-3);
  const PostalModel both = {.gap_s = 0, .latency_s = 100, .start = 1, .inflow_from_s = 10, .inflow_gap_s = 1};
  EXPECT_NEAR(spreading_s(both, 4), 13, 1e-9);
}

TEST(Postal, GapsThatTimesCannotHoldEnd) {
  const PostalModel model = {.gap_s = 1e-20, .latency_s = 1e4, .start = 0, .inflow_from_s = 1e4, .inflow_gap_s = 1e-20};
  EXPECT_NEAR(spreading_s(model, 1e6), 1e4, 1e-3);
  EXPECT_GE(alone_s(1e-20, 1e4, 1e6), 0);
}

TEST(Postal, EndsEarlyRatherThanLate) {
  EXPECT_LE(alone_s(1, 1e7, 1e9), greedy_s(1, 1e7, 2) + 1e9);
  EXPECT_GT(alone_s(1, 1e7, 1e9), 0);
}

}  // namespace
}  // namespace isthmus::bounds
