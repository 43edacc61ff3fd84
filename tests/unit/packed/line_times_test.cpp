// In which order pieces pass the lines between sites, and when.
#include "algorithms/packed/line_times.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

using Edge = LineTimes::Edge;

constexpr std::int64_t ms = 1'000'000;  // in nanoseconds

// Two pieces of 1000 bytes over a line of 1 MB/s; that of the second way has another line to go.
TEST(LineTimes, WhatHasFartherToGoPassesFirst) {
  const SiteTree star(std::vector<int>{0, 0, 0}), chain(std::vector<int>{0, 0, 1});
  const std::vector<Trees> trees{{nullptr, &star}, {nullptr, &chain}};
  const std::vector<TravellingPiece> pieces{{0, 1000}, {1, 1000}};
  const LineTimes times({{0, 1, 2000, 1000}, {0, 2, 1000, 1000}, {1, 2, 5000, 1000}}, 3, trees, pieces);
  EXPECT_EQ(times.start_ns(1, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 1 * ms);  // the line is free again
  EXPECT_EQ(times.start_ns(0, Edge::out, 2), 0);       // on a line of its own
  EXPECT_EQ(times.start_ns(1, Edge::out, 2), 3 * ms);  // there after 1 ms on the line and 2 ms of latency
}

TEST(LineTimes, EqualPiecesPassByTheirNumbers) {
  const SiteTree star(std::vector<int>{0, 0});
  const std::vector<Trees> trees{{nullptr, &star}};
  const LineTimes times({{0, 1, 1000, 1000}}, 2, trees, std::vector<TravellingPiece>{{0, 1000}, {0, 2000}, {0, 1000}});
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(1, Edge::out, 1), 1 * ms);
  EXPECT_EQ(times.start_ns(2, Edge::out, 1), 3 * ms);
}

// An allreduce over a chain: the root sends the sum when the last operand is there.
TEST(LineTimes, ASumSetsOutWhenItsOperandsAreThere) {
  const SiteTree in(std::vector<int>{0, 0, 1}), out(std::vector<int>{0, 0, 0});
  const std::vector<Trees> trees{{&in, &out}};
  const LineTimes times({{2, 1, 4000, 1000}, {1, 0, 2000, 1000}, {0, 1, 1, 1000}, {0, 2, 1, 1000}}, 3, trees,
                        std::vector<TravellingPiece>{{0, 1000}});
  EXPECT_EQ(times.start_ns(0, Edge::in, 2), 0);
  EXPECT_EQ(times.start_ns(0, Edge::in, 1), 5 * ms);
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 8 * ms);
  EXPECT_EQ(times.start_ns(0, Edge::out, 2), 8 * ms);
}

// What a site can send holds back the shorter way; what the last site can take in holds back the piece that it passes.
TEST(LineTimes, ASiteSendsAndTakesInNoMoreThanItCan) {
  const SiteTree star(std::vector<int>{0, 0, 0}), back(std::vector<int>{1, 2, 2});
  const std::vector<Trees> trees{{nullptr, &star}, {nullptr, &back}};
  const std::vector<WayLine> lines{{0, 1, 9000, 1000}, {0, 2, 1000, 1000}, {2, 1, 1000, 1000},
                                   {1, 0, 1000, 1000}, {0, -1, 0, 500},    {-1, 1, 0, 250}};
  const LineTimes times(lines, 3, trees, std::vector<TravellingPiece>{{0, 1000}, {1, 1000}});
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(0, Edge::out, 2), 2 * ms);
  EXPECT_EQ(times.start_ns(1, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(1, Edge::out, 0), 5 * ms);  // 1 ms of latency, 4 ms at the entrance
}

}  // namespace
}  // namespace isthmus
