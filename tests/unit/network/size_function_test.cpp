#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "algorithms/models/plogp.hpp"

namespace isthmus {
namespace {

TEST(SizeFunction, LinearFunctionsAreExactAtEverySize) {
  const SizeFunction gap = SizeFunction::linear(1e-4, 1e-6);
  for (double bytes : {0.0, 1.0, 7.0, 1000.0, 4194304.0, 1e12}) {
    EXPECT_NEAR(gap(bytes), 1e-4 + 1e-6 * bytes, 1e-12 * (1e-4 + 1e-6 * bytes));
  }
}

TEST(SizeFunction, PiecesJoinAtTheirPoints) {
  const SizeFunction f({{10, 1}, {20, 3}, {40, 4}});
  EXPECT_DOUBLE_EQ(f(0), 1);  // constant before the first point
  EXPECT_DOUBLE_EQ(f(10), 1);
  EXPECT_DOUBLE_EQ(f(15), 2);
  EXPECT_DOUBLE_EQ(f(20), 3);
  EXPECT_DOUBLE_EQ(f(30), 3.5);
  EXPECT_DOUBLE_EQ(f(40), 4);
  EXPECT_DOUBLE_EQ(f(60), 5);  // goes on with the last slope
}

TEST(SizeFunction, OnePointIsAConstant) {
  const SizeFunction f({{100, 2.5}});
  EXPECT_DOUBLE_EQ(f(0), 2.5);
  EXPECT_DOUBLE_EQ(f(1e9), 2.5);
}

TEST(SizeFunction, AFallingLastPieceEndsAtZero) {
  const SizeFunction f({{0, 2}, {1, 1}});
  EXPECT_DOUBLE_EQ(f(1.5), 0.5);
  EXPECT_DOUBLE_EQ(f(1000), 0);
}

TEST(SizeFunction, BrokenInvariantsAreNamed) {
  EXPECT_THROW(SizeFunction({}), BadInput);
  EXPECT_THROW(SizeFunction({{5, 1}, {5, 2}}), BadInput);
  EXPECT_THROW(SizeFunction({{5, 1}, {4, 2}}), BadInput);
  EXPECT_THROW(SizeFunction({{0, -1}}), BadInput);
  EXPECT_THROW(SizeFunction({{-1, 1}}), BadInput);
}

TEST(SizeFunction, TheLargerOfTwoIsTheirMaximumEverywhere) {
  const SizeFunction a({{0, 5}, {10, 5}, {20, 0}, {30, 0}});
  const SizeFunction b({{0, 0}, {40, 8}});
  const SizeFunction steep = SizeFunction::linear(0, 1e-6), late = SizeFunction::linear(1e-3, 1e-9);
  const SizeFunction ab = SizeFunction::larger(a, b), crossing = SizeFunction::larger(late, steep);
  for (double bytes = 0; bytes < 100; bytes += 0.25) {
    EXPECT_NEAR(ab(bytes), std::max(a(bytes), b(bytes)), 1e-12) << bytes;
    EXPECT_NEAR(crossing(bytes * 100), std::max(late(bytes * 100), steep(bytes * 100)), 1e-12) << bytes;
  }
}

TEST(SizeFunction, FunctionsThatCrossBeyondTheirPointsAreFollowed) {
  const SizeFunction a({{0, 10}, {1, 10.1}}), b({{0, 0}, {1, 1}});
  const SizeFunction both = SizeFunction::larger(a, b);
  for (double bytes = 0; bytes < 100; ++bytes) EXPECT_NEAR(both(bytes), std::max(a(bytes), b(bytes)), 1e-9) << bytes;
}

}  // namespace
}  // namespace isthmus
