// The rate of a line from trains of frames, with other traffic, lost frames, and senders that are too slow.
#include "algorithms/measuring/line_rate.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace isthmus {
namespace {

constexpr double frame_bytes = 1448;

/// A line that carries so much; `share` of it is left to each train in turn, and every n-th frame is lost.
struct Line {
  double rate_Bps = 10e6;
  std::vector<double> shares = {1};
  int every_lost = 0;
  std::vector<int> trains = {};  ///< frames of each

  FrameTrain operator()(int frames) {
    const double share = shares[trains.size() % shares.size()];
    trains.push_back(frames);
    const int lost = every_lost > 0 ? frames / every_lost : 0;
    return {frames, frames - lost, (frames - lost - 1) * frame_bytes / (share * rate_Bps)};
  }
};

TEST(LineRate, TwoTrainsAreEnoughWhereAMessageGetsAsMuch) {
  Line line;
  EXPECT_NEAR(line_rate(std::ref(line), frame_bytes, 9.9e6).rate_Bps, 10e6, 1);
  // A train of 16 frames takes 2 ms; those that count are longer.
  EXPECT_EQ(line.trains, (std::vector{16, 37, 37}));
}

TEST(LineRate, OtherTrafficInSomeTrainsDoesNotCount) {
  Line line{.shares = {0.83, 0.84, 0.83, 0.83, 1, 0.85, 0.83, 1}};
  const LineRate found = line_rate(std::ref(line), frame_bytes, 0);
  EXPECT_NEAR(found.rate_Bps, 10e6, 1);
  EXPECT_EQ(line.trains.size(), 13U);
}

TEST(LineRate, OtherTrafficThatTakesTheSameOfSixTrainsDoesNotCount) {
  Line line{.shares = {1, 0.866, 0.866, 0.866, 1, 0.866, 0.866, 0.84, 0.866, 1, 0.866, 0.84, 0.866}};
  EXPECT_NEAR(line_rate(std::ref(line), frame_bytes, 0).rate_Bps, 10e6, 1);
}

TEST(LineRate, AOneTimeErrorOfTheClockIsNotConfirmed) {
  Line line{.shares = {1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
  EXPECT_NEAR(line_rate(std::ref(line), frame_bytes, 0).rate_Bps, 10e6, 1);
}

TEST(LineRate, LostFramesAreCountedAndMakeNoDifference) {
  Line line{.rate_Bps = 125e6, .every_lost = 50};
  const LineRate found = line_rate(std::ref(line), frame_bytes, 1e6);
  EXPECT_NEAR(found.rate_Bps, 125e6, 1);
  int sent = 0, lost = 0;
  for (const int frames : line.trains) sent += frames, lost += frames / 50;
  EXPECT_EQ(found.sent, sent);
  EXPECT_EQ(found.lost, lost);
  EXPECT_GT(lost, 0);
}

TEST(LineRate, NothingArrivesOrOnlyOneFrame) {
  for (const int arrived : {0, 1}) {
    int trains = 0;
    const auto send = [&](int frames) { return ++trains, FrameTrain{frames, arrived, 0}; };
    EXPECT_EQ(line_rate(send, frame_bytes, 1e6).rate_Bps, 0);
    EXPECT_EQ(trains, 3);
  }
}

TEST(LineRate, AClockThatStandsStillEnds) {
  int trains = 0;
  const auto send = [&](int frames) { return ++trains, FrameTrain{frames, frames, 0}; };
  EXPECT_EQ(line_rate(send, frame_bytes, 1e6).rate_Bps, 0);
  EXPECT_EQ(trains, 3);
}

TEST(RateOfLine, IsThatOfTrainsUnlessAMessageGetsAsMuchOrTheSenderWasTooSlow) {
  const auto rate = [](double line_Bps, double sender_Bps, double message_Bps) {
    return rate_of_line({line_Bps, sender_Bps, 100, 0}, message_Bps);
  };
  EXPECT_EQ(rate(0, 0, 5e6), 5e6);            // no datagrams
  EXPECT_EQ(rate(10e6, 1e9, 1e6), 10e6);      // a message that lost frames
  EXPECT_EQ(rate(10e6, 1e9, 9.9e6), 9.9e6);   // alike
  EXPECT_EQ(rate(10e6, 1e9, 14e6), 10e6);     // a message whose shorter one was slow
  EXPECT_EQ(rate(1e9, 1.1e9, 1.2e9), 1.2e9);  // the sender did not fill the line
  EXPECT_EQ(rate(1e9, 1.1e9, 0.5e9), 1e9);
}

}  // namespace
}  // namespace isthmus
