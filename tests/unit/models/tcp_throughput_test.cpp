#include "algorithms/models/tcp_throughput.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

/// 50 ms, 200 Mbit/s.
TcpPath long_fat_pipe(double loss, CongestionControl control = CongestionControl::cubic) {
  return {.round_trip_s = 0.1, .bandwidth_Bps = 25e6, .loss = loss, .congestion_control = control};
}

TEST(AConnection, FillsALinkWithoutLoss) {
  EXPECT_DOUBLE_EQ(tcp_throughput_Bps(long_fat_pipe(0)), 25e6);
  EXPECT_EQ(streams_to_fill(long_fat_pipe(0)), 1);
}

TEST(AConnection, HasMathisWindowUnderReno) {
  EXPECT_NEAR(loss_limited_window(long_fat_pipe(0.0001, CongestionControl::reno)), 122.5, 0.1);
  EXPECT_NEAR(tcp_throughput_Bps(long_fat_pipe(0.001, CongestionControl::reno)), 560.8e3, 0.1e3);
}

// RFC 9438, section 5.1: a round trip of 0.1 s, C = 0.4.
TEST(AConnection, HasTheWindowsOfRfc9438) {
  EXPECT_NEAR(loss_limited_window(long_fat_pipe(1e-4)), 187, 1);
  EXPECT_NEAR(loss_limited_window(long_fat_pipe(1e-5)), 1054, 2);
  EXPECT_NEAR(loss_limited_window(long_fat_pipe(1e-6)), 5926, 6);
  EXPECT_NEAR(loss_limited_window(long_fat_pipe(1e-3)), 38.7, 0.1);  // Reno's
}

// Open MPI 4.1.4, messages of 16 MiB in virtual time: 0.61 to 0.72 MB/s (validation/results/streams.md).
TEST(AConnection, IsAsMeasuredWithinAThird) {
  const double modelled_Bps = tcp_throughput_Bps(long_fat_pipe(0.001));
  for (const double measured_Bps : {0.61e6, 0.69e6, 0.72e6}) EXPECT_NEAR(modelled_Bps / measured_Bps, 1, 1.0 / 3);
}

TEST(AConnection, IsBoundByItsWindow) {
  TcpPath path = long_fat_pipe(0);
  path.window_bytes = 1e6;
  EXPECT_DOUBLE_EQ(tcp_throughput_Bps(path), 10e6);
  EXPECT_EQ(streams_to_fill(path), 3);
}

TEST(Connections, ThatFillALinkReachItsShareAndNotOneLess) {
  for (const double loss : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    for (const double share : {0.5, 0.9, 1.0}) {
      const TcpPath path = long_fat_pipe(loss);
      const int count = streams_to_fill(path, share);
      const double one = tcp_throughput_Bps(path);
      EXPECT_GE(count * one, share * path.bandwidth_Bps * (1 - 1e-12)) << loss;
      if (count > 1) {
        EXPECT_LT((count - 1) * one, share * path.bandwidth_Bps) << loss;
      }
    }
  }
}

TEST(Connections, AreCountedByTheWorstRouteOfANetwork) {
  const Network network = tests::das(3, 2);  // 10 ms, 1 MB/s
  Conditions conditions;
  EXPECT_EQ(streams_to_fill(network, conditions), 1);
  conditions.links = {{"*", {.loss = 0.01}}};
  const int all = streams_to_fill(network, conditions);
  EXPECT_EQ(all, streams_to_fill(TcpPath{.round_trip_s = 0.02, .bandwidth_Bps = 1e6, .loss = 0.01}));
  conditions.tcp.congestion_control = "reno";
  EXPECT_EQ(streams_to_fill(network, conditions), all);
  conditions.tcp.congestion_control = "bbr";  // of which the model knows nothing
  EXPECT_EQ(streams_to_fill(network, conditions), 1);
}

TEST(Connections, AreNotCountedWhereTheModelDoesNotHold) {
  for (const double loss : {0.11, 0.99, 1.0}) {
    Conditions conditions;
    conditions.links = {{"wan0-2", {.loss = loss}}};
    EXPECT_THAT([&] { streams_to_fill(tests::das(3, 2), conditions); },
                testing::ThrowsMessage<BadInput>(testing::HasSubstr("over link wan0-2 are lost")))
        << loss;
  }
}

}  // namespace
}  // namespace isthmus
