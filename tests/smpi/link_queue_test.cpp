#include "sim/link_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace isthmus {
namespace {

struct Crossing {
  double arrival_s, begin_s, end_s;
};

TEST(ALinkQueue, LetsMessagesCrossInTurn) {
  LinkQueue queue;
  EXPECT_EQ(queue.cross(1, 2, 0), 1);
  EXPECT_EQ(queue.cross(1, 2, 0), 3);
  EXPECT_EQ(queue.cross(2, 1, 0), 5);
  EXPECT_EQ(queue.cross(10, 1, 4), 10);
}

TEST(ALinkQueue, LetsAnEarlierArrivalUseAGapThatIsLongEnough) {
  LinkQueue queue;
  EXPECT_EQ(queue.cross(1, 2, 0), 1);
  EXPECT_EQ(queue.cross(10, 2, 0), 10);
  EXPECT_EQ(queue.cross(2, 5, 0), 3);
  EXPECT_EQ(queue.cross(2, 5, 0), 12) << "the gap from 8 to 10 is too short";
  EXPECT_EQ(queue.cross(3, 2, 0), 17) << "and who comes later does not overtake";
}

TEST(ALinkQueue, TakesMessagesThatNeedNoTime) {
  LinkQueue queue;
  EXPECT_EQ(queue.cross(1, 0, 0), 1);
  EXPECT_EQ(queue.cross(1, 1, 0), 1);
  EXPECT_EQ(queue.cross(1, 0, 0), 2);
}

TEST(ALinkQueue, IsTheUsualQueueWhenMessagesComeInOrder) {
  std::mt19937 random(7);
  std::exponential_distribution<double> gap(1), duration(1.1);
  LinkQueue queue;
  double arrival_s = 0, free_s = 0;
  for (int i = 0; i < 20000; ++i) {
    arrival_s += gap(random);
    const double duration_s = duration(random);
    const double begin_s = std::max(arrival_s, free_s);
    ASSERT_EQ(queue.cross(arrival_s, duration_s, arrival_s), begin_s);
    free_s = begin_s + duration_s;
  }
}

TEST(ALinkQueue, NeverHoldsTwoAtOnceNorLetsALaterOneOvertake) {
  std::mt19937 random(11);
  std::exponential_distribution<double> gap(1), way(0.3), duration(1.2);
  LinkQueue queue;
  std::vector<Crossing> crossings;
  double now_s = 0;
  for (int i = 0; i < 2000; ++i) {
    now_s += gap(random);
    const double arrival_s = now_s + way(random);
    const double duration_s = duration(random);
    const double begin_s = queue.cross(arrival_s, duration_s, now_s);
    ASSERT_GE(begin_s, arrival_s);
    for (const Crossing& other : crossings) {
      ASSERT_TRUE(begin_s >= other.end_s || begin_s + duration_s <= other.begin_s);
      ASSERT_FALSE(other.arrival_s <= arrival_s && begin_s < other.end_s) << "an earlier arrival was overtaken";
    }
    crossings.push_back({arrival_s, begin_s, begin_s + duration_s});
  }
}

}  // namespace
}  // namespace isthmus
