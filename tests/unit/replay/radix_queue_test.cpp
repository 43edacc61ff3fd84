#include "algorithms/replay/radix_queue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace isthmus {
namespace {

TEST(RadixQueue, EventsLeaveInOrderOfTime) {
  RadixQueue queue;
  for (double time_s : {3.0, 1e-300, 0.5, 1e300, 0.0, 2.0}) queue.push(time_s, 0);
  for (double time_s : {0.0, 1e-300, 0.5, 2.0, 3.0, 1e300}) EXPECT_EQ(queue.pop().time_s, time_s);
  EXPECT_TRUE(queue.empty());
}

TEST(RadixQueue, EventsOfOneTimeLeaveAsTheyCame) {
  RadixQueue queue;
  queue.push(1, 10);
  queue.push(0.5, 0);
  queue.push(1, 11);
  EXPECT_EQ(queue.pop().what, 0U);
  EXPECT_FALSE(queue.has_more_now());
  queue.push(1, 12);
  EXPECT_EQ(queue.pop().what, 10U);
  EXPECT_TRUE(queue.has_more_now());
  queue.push(1, 13);
  for (std::uint32_t expected : {11U, 12U, 13U}) EXPECT_EQ(queue.pop().what, expected);
  EXPECT_FALSE(queue.has_more_now());
}

TEST(RadixQueue, StartsAgainWhenItIsCleared) {
  RadixQueue queue;
  for (const double time_s : {1.0, 2.0, 2.0, 1e-9, 1e9}) queue.push(time_s, 1);
  for (int i = 0; i < 3; ++i) queue.pop();
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.has_more_now());
  queue.push(0.5, 3);
  queue.push(0, 2);
  EXPECT_EQ(queue.pop().what, 2U);
  EXPECT_EQ(queue.pop().what, 3U);
  EXPECT_TRUE(queue.empty());
}

TEST(RadixQueue, RandomEventsLeaveAsFromASortedMultimap) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-20, 3);
  RadixQueue queue;
  std::multimap<double, std::uint32_t> expected;  // keeps the order of insertion among equal keys
  double now_s = 0;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    if (random() % 5 < 3 || expected.empty()) {
      const double later_s = random() % 4 == 0 ? now_s : now_s + std::exp2(std::floor(exponent(random)));
      queue.push(later_s, i);
      expected.emplace(later_s, i);
    } else {
      const RadixQueue::Event event = queue.pop();
      ASSERT_EQ(event.time_s, expected.begin()->first);
      ASSERT_EQ(event.what, expected.begin()->second);
      now_s = event.time_s;
      expected.erase(expected.begin());
      ASSERT_EQ(queue.has_more_now(), !expected.empty() && expected.begin()->first == now_s);
    }
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

}  // namespace
}  // namespace isthmus
