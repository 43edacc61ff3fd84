#include "algorithms/measuring/load/fair_rates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isthmus {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

auto near(double Bps) { return DoubleNear(Bps, 1e-6 * Bps + 1e-9); }

TEST(FairRates, StreamsShareALinkEqually) {
  EXPECT_THAT(isthmus::fair_rates_Bps({10e6}, {{0}, {0}}, {50e6, 50e6}), ElementsAre(near(5e6), near(5e6)));
}

TEST(FairRates, WhatOneStreamCannotTakeIsLeftToTheOthers) {
  EXPECT_THAT(isthmus::fair_rates_Bps({10e6}, {{0}, {0}, {0}}, {1e6, 50e6, 50e6}),
              ElementsAre(near(1e6), near(4.5e6), near(4.5e6)));
  // The second stream has a narrow link of its own.
  EXPECT_THAT(isthmus::fair_rates_Bps({10e6, 2e6}, {{0}, {0, 1}}, {50e6, 50e6}), ElementsAre(near(8e6), near(2e6)));
}

TEST(FairRates, OverALinkWithoutBandwidthNothingMoves) {
  EXPECT_THAT(isthmus::fair_rates_Bps({0, 10e6}, {{0, 1}, {1}}, {50e6, 50e6}), ElementsAre(near(0), near(10e6)));
  EXPECT_THAT(isthmus::fair_rates_Bps({10e6}, {{0}, {0}}, {0, 50e6}), ElementsAre(near(0), near(10e6)));
}

TEST(FairRates, WithoutLinksEachHasItsLimit) {
  EXPECT_THAT(isthmus::fair_rates_Bps({}, {{}, {}}, {3e6, 7e6}), ElementsAre(near(3e6), near(7e6)));
  EXPECT_TRUE(isthmus::fair_rates_Bps({10e6}, {}, {}).empty());
}

}  // namespace
}  // namespace isthmus
