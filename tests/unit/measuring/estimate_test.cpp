#include "algorithms/measuring/estimate.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

TEST(ShortestWithin, HasTheFewestDigits) {
  EXPECT_EQ(shortest_within(1.49999e-05, 1e-9), 1.5e-05);
  EXPECT_EQ(shortest_within(0.0299089999, 1e-9), 0.029909);
  EXPECT_EQ(shortest_within(249999999, 1.25), 250000000);
  EXPECT_EQ(shortest_within(21538516.0001, 0.5), 21538516);
  EXPECT_EQ(shortest_within(4e-10, 1e-9), 0);
  EXPECT_EQ(shortest_within(0.1, 0), 0.1);
}

TEST(EvenOut, GivesNearlyEqualFiguresTheirMedian) {
  double one = 100, other = 102, third = 103, apart = 150;
  even_out({&apart, &third, &one, &other});
  EXPECT_EQ(one, 102);
  EXPECT_EQ(other, 102);
  EXPECT_EQ(third, 102);
  EXPECT_EQ(apart, 150);
}

}  // namespace
}  // namespace isthmus
