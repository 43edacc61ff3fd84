#include "algorithms/replay/acknowledgements.hpp"

#include <gtest/gtest.h>

#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/programs.hpp"

namespace isthmus {
namespace {

/// Two sites of one host each, a frame of 1000 bytes, and `returned` bytes back for each.
Network two_sites(double returned) {
  Network network = tests::grid({.clusters = 2, .hosts = 1, .header_bytes = 0});
  network.transport.frame_bytes = 1000;
  network.transport.acknowledgement_bytes = returned;
  return network;
}

double seconds(const Network& network, const Schedule& schedule) {
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  return replay(placed, 1, tests::programs_of(schedule)).seconds;
}

/// Both ranks send 40 messages of 50 kB, two ahead of those that they receive, so that lines are never idle.
Schedule exchange() {
  Schedule schedule(2);
  const auto slice = [](int number) { return output(50000 * number, 50000); };
  for (int rank : {0, 1}) {
    for (int number = 0; number < 40; ++number) {
      if (number >= 2) schedule[rank].receive(slice(number), 1 - rank);
      schedule[rank].send(slice(number), 1 - rank);
    }
    for (int number : {40, 41}) schedule[rank].receive(slice(number), 1 - rank);
  }
  return schedule;
}

TEST(Acknowledgements, AreOneForTwoFramesAsTheyArrive) {
  const Transport transport{.frame_bytes = 1000, .acknowledgement_bytes = 30};
  const Acknowledgements sent = Acknowledgements::of(transport, 9500, 1, 11);
  EXPECT_EQ(sent.frames, 5);
  EXPECT_EQ(sent.bytes, 300);
  EXPECT_NEAR(sent.head_s, 3, 1e-12);
  EXPECT_NEAR(sent.tail_s, 13, 1e-12);
}

TEST(Acknowledgements, OfOneFrameAreNone) {
  EXPECT_EQ(Acknowledgements::of({.frame_bytes = 1000, .acknowledgement_bytes = 30}, 1000, 0, 1).frames, 0);
  EXPECT_EQ(Acknowledgements::of({.frame_bytes = 1000}, 9500, 0, 1).frames, 0);
  EXPECT_EQ(Acknowledgements::of({.acknowledgement_bytes = 30}, 9500, 0, 1).frames, 0);
}

TEST(Acknowledgements, TakeNoTimeWhereNothingGoesTheOtherWay) {
  Schedule schedule(2);
  for (int i = 0; i < 5; ++i) {
    schedule[0].send(output(0, 10000), 1);
    schedule[1].receive(output(0, 10000), 0);
  }
  EXPECT_EQ(seconds(two_sites(30), schedule), seconds(two_sites(0), schedule));
}

// Each site sends as much as it gets, so that a line carries its messages and what the other direction's bring back.
TEST(Acknowledgements, TakeTheirShareOfALineThatIsFullBothWays) {
  const Schedule schedule = exchange();
  const double without_s = seconds(two_sites(0), schedule), with_s = seconds(two_sites(30), schedule);
  EXPECT_GT(with_s, 1.02 * without_s);
  EXPECT_LT(with_s, 1.03 * without_s);
}

TEST(Acknowledgements, GoBehindWhatWaitsAlready) {
  Schedule schedule(2);
  schedule[0].send(output(0, 50000), 1);
  schedule[1].send(output(0, 50000), 0);
  schedule[0].receive(output(50000, 50000), 1);
  schedule[1].receive(output(50000, 50000), 0);
  EXPECT_EQ(seconds(two_sites(30), schedule), seconds(two_sites(0), schedule));
}

TEST(Acknowledgements, TakeNoTimeOnALinkThatTheMessageItselfCrosses) {
  const auto one_line = [](double returned) {
    Network network = two_sites(returned);
    for (Host& host : network.hosts) host.up = host.down = {};
    network.trunks.at({1, 0}) = network.trunks.at({0, 1});
    return network;
  };
  EXPECT_EQ(seconds(one_line(30), exchange()), seconds(one_line(0), exchange()));
}

}  // namespace
}  // namespace isthmus
