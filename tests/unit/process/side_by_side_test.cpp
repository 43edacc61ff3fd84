// Tasks on several processors.
#include "algorithms/process/side_by_side.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace isthmus {
namespace {

TEST(SideBySide, RunsEachTaskOnce) {
  std::vector<int> runs(1000);
  side_by_side(runs.size(), [&](std::size_t one) { ++runs[one]; });
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
  side_by_side(0, [](std::size_t) { FAIL(); });
}

TEST(SideBySide, ThrowsTheErrorOfTheFirstTaskOnceAllHaveEnded) {
  std::atomic<int> ended = 0;
  try {
    side_by_side(8, [&](std::size_t one) {
      ++ended;
      if (one >= 3) throw std::runtime_error(std::to_string(one));
    });
    FAIL() << "no error";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "3");
  }
  EXPECT_EQ(ended, 8);
}

TEST(SideBySide, UsesTheProcessorsOfTheProcess) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  EXPECT_EQ(usable_processors(), CPU_COUNT(&all));
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usable_processors(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
}

}  // namespace
}  // namespace isthmus
