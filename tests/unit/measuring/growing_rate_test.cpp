// The rate of messages by how much longer one takes than one of half its size.
#include "algorithms/measuring/growing_rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace isthmus {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;

TEST(GrowingRate, StopsAtShortMessagesWhereTheyTellTheRate) {
  std::int64_t longest = 0;
  int trips = 0;
  const double rate_Bps = growing_rate_Bps(
      [&](std::int64_t bytes) {
        longest = std::max(longest, bytes);
        ++trips;
        return 20e-3 + static_cast<double>(bytes) / 1e6;
      },
      mebibyte, 3);
  EXPECT_NEAR(rate_Bps / 1e6, 1, 1e-9);
  EXPECT_LE(longest, 32768);
  EXPECT_LE(trips, 8);
}

TEST(GrowingRate, IsNotTakenFromTheLatencyOfAFarAndQuickLine) {
  // Below a quarter of the latency growth could as well be noise: the longest message decides.
  std::int64_t longest = 0;
  const double rate_Bps = growing_rate_Bps(
      [&](std::int64_t bytes) {
        longest = std::max(longest, bytes);
        return 100e-3 + static_cast<double>(bytes) / 1e9;
      },
      mebibyte, 1);
  EXPECT_NEAR(rate_Bps / 1e9, 1, 1e-6);
  EXPECT_EQ(longest, mebibyte);
}

TEST(GrowingRate, OutlastsAWindowThatOpensAndAChangeOfProtocol) {
  // A window that doubles every round trip of 1 ms, from 16 KiB, on a line of 100 MB/s.
  const auto opening_s = [](std::int64_t bytes) {
    double seconds = 1e-3, left = static_cast<double>(bytes), window = 16384;
    for (; left > window && window < 1e5; left -= window, window *= 2) seconds += 1e-3;
    return seconds + left / 100e6;
  };
  EXPECT_NEAR(growing_rate_Bps(opening_s, 16 * mebibyte, 1) / 100e6, 1, 0.02);
  // From 64 KiB on, another round trip.
  const auto rendezvous_s = [](std::int64_t bytes) {
    return 1e-3 + static_cast<double>(bytes) / 100e6 + (bytes >= 65536 ? 1e-3 : 0);
  };
  EXPECT_NEAR(growing_rate_Bps(rendezvous_s, 16 * mebibyte, 1) / 100e6, 1, 0.02);
}

TEST(GrowingRate, IsTheSameWhereAClockJumps) {
  // Every seventh trip the clock jumps by an hour, back and forth in turn; a jump may come at any trip.
  for (int first = 0; first < 14; ++first) {
    int trips = first;
    const auto jumping_s = [&](std::int64_t bytes) {
      const double jump_s = ++trips % 7 != 0 ? 0 : trips % 2 == 0 ? 3600 : -3600;
      return 20e-3 + static_cast<double>(bytes) / 1e6 + jump_s;
    };
    EXPECT_NEAR(growing_rate_Bps(jumping_s, mebibyte, 3) / 1e6, 1, 1e-6) << first;
  }
}

TEST(GrowingRate, CountsTheQuickestTripAndAsksForMoreOnlyWhereTripsDiffer) {
  std::vector<int> asked(64);
  const double rate_Bps = growing_rate_Bps(
      [&](std::int64_t bytes) {
        const int number = ++asked[static_cast<std::size_t>(std::log2(static_cast<double>(bytes)))];
        return 1e-3 + static_cast<double>(bytes) / 1e7 + (number == 1 ? 5e-3 : 0);
      },
      mebibyte, 5);
  EXPECT_NEAR(rate_Bps / 1e7, 1, 1e-9);
  EXPECT_EQ(std::ranges::max(asked), 3);
}

TEST(GrowingRate, OfMessagesThatTakeAsLongAsEmptyOnesIsTheLowestAtWhichTheyWould) {
  const double rate_Bps = growing_rate_Bps([](std::int64_t) { return 0.5; }, 4096, 3);
  EXPECT_NEAR(4096 / rate_Bps, same_trip * 0.5, 1e-12);
}

TEST(GrowingRate, OfMessagesThatOnlyTheirHalvesDelayIsThatOfTheWholeMessage) {
  EXPECT_NEAR(growing_rate_Bps([](std::int64_t bytes) { return bytes == 1 ? 0.1 : 0.5; }, 4096, 3), 8192, 1e-9);
  EXPECT_GT(growing_rate_Bps([](std::int64_t bytes) { return 1 + static_cast<double>(bytes); }, 2, 1), 0);
}

}  // namespace
}  // namespace isthmus
