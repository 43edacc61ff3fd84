// In which order pieces pass the lines between sites, and when.
#include "algorithms/packed/line_times.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

using Edge = Trees::Edge;

constexpr std::int64_t ms = 1'000'000;  // in nanoseconds

/// Of ways along trees.
class TreeTimes {
 public:
  TreeTimes(const std::vector<WayLine>& lines, const std::vector<Trees>& trees,
            const std::vector<TravellingPiece>& pieces)
      : trees_(trees), pieces_(pieces), times_(lines, sites(), courses(), pieces) {}

  std::int64_t start_ns(std::size_t piece, Edge edge, int site) const {
    return times_.start_ns(piece, trees_[pieces_[piece].way].crossing(edge, site));
  }

 private:
  int sites() const { return (trees_.front().in != nullptr ? trees_.front().in : trees_.front().out)->size(); }
  std::vector<Course> courses() const {
    std::vector<Course> all;
    for (const Trees& trees : trees_) all.push_back(course_of(trees));
    return all;
  }

  std::vector<Trees> trees_;
  std::vector<TravellingPiece> pieces_;
  LineTimes times_;
};

// Two pieces of 1000 bytes over a line of 1 MB/s; that of the second way has another line to go.
TEST(LineTimes, WhatHasFartherToGoPassesFirst) {
  const SiteTree star(std::vector<int>{0, 0, 0}), chain(std::vector<int>{0, 0, 1});
  const TreeTimes times({{0, 1, 2000, 1000}, {0, 2, 1000, 1000}, {1, 2, 5000, 1000}},
                        {{nullptr, &star}, {nullptr, &chain}}, {{0, 1000}, {1, 1000}});
  EXPECT_EQ(times.start_ns(1, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 1 * ms);  // the line is free again
  EXPECT_EQ(times.start_ns(0, Edge::out, 2), 0);       // on a line of its own
  EXPECT_EQ(times.start_ns(1, Edge::out, 2), 3 * ms);  // there after 1 ms on the line and 2 ms of latency
}

TEST(LineTimes, EqualPiecesPassByTheirNumbers) {
  const SiteTree star(std::vector<int>{0, 0});
  const TreeTimes times({{0, 1, 1000, 1000}}, {{nullptr, &star}}, {{0, 1000}, {0, 2000}, {0, 1000}});
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(1, Edge::out, 1), 1 * ms);
  EXPECT_EQ(times.start_ns(2, Edge::out, 1), 3 * ms);
}

// An allreduce over a chain: the root sends the sum when the last operand is there.
TEST(LineTimes, ASumSetsOutWhenItsOperandsAreThere) {
  const SiteTree in(std::vector<int>{0, 0, 1}), out(std::vector<int>{0, 0, 0});
  const TreeTimes times({{2, 1, 4000, 1000}, {1, 0, 2000, 1000}, {0, 1, 1, 1000}, {0, 2, 1, 1000}}, {{&in, &out}},
                        {{0, 1000}});
  EXPECT_EQ(times.start_ns(0, Edge::in, 2), 0);
  EXPECT_EQ(times.start_ns(0, Edge::in, 1), 5 * ms);
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 8 * ms);
  EXPECT_EQ(times.start_ns(0, Edge::out, 2), 8 * ms);
}

// What a site can send holds back the shorter way; what the last site can take in holds back the piece that it passes.
TEST(LineTimes, ASiteSendsAndTakesInNoMoreThanItCan) {
  const SiteTree star(std::vector<int>{0, 0, 0}), back(std::vector<int>{1, 2, 2});
  const TreeTimes times({{0, 1, 9000, 1000},
                         {0, 2, 1000, 1000},
                         {2, 1, 1000, 1000},
                         {1, 0, 1000, 1000},
                         {0, -1, 0, 500},
                         {-1, 1, 0, 250}},
                        {{nullptr, &star}, {nullptr, &back}}, {{0, 1000}, {1, 1000}});
  EXPECT_EQ(times.start_ns(0, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(0, Edge::out, 2), 2 * ms);
  EXPECT_EQ(times.start_ns(1, Edge::out, 1), 0);
  EXPECT_EQ(times.start_ns(1, Edge::out, 0), 5 * ms);  // 1 ms of latency, 4 ms at the entrance
}

// What a relay has of its own does not stop for a piece that comes 3 ms later.
TEST(LineTimes, PiecesAlongPathsShareTheLinesOfTheirRelays) {
  const std::vector<Course> courses{course_of({0, 1, 2}), course_of({1, 2}), course_of({1, 2})};
  const std::vector<TravellingPiece> pieces{{0, 1000}, {1, 4000}, {2, 1000}};
  const LineTimes times({{0, 1, 2000, 1000}, {1, 2, 1000, 1000}}, 3, courses, pieces);
  EXPECT_EQ(times.start_ns(0, 0), 0);
  EXPECT_EQ(times.start_ns(1, 0), 0);
  EXPECT_EQ(times.start_ns(0, 1), 4 * ms);  // by its number before the other one, which has as far to go
  EXPECT_EQ(times.start_ns(2, 0), 5 * ms);
  EXPECT_EQ(times.last_ns(), 5 * ms);
}

}  // namespace
}  // namespace isthmus
