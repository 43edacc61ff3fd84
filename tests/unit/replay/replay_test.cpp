#include "algorithms/replay/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/models/kielmann.hpp"
#include "algorithms/replay/ticks.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/programs.hpp"
#include "tests/support/slow_replay.hpp"

namespace isthmus {
namespace {

using ::testing::HasSubstr;
using tests::das;
using tests::programs_of;
using tests::star;

Placement one_a_host(const Network& network) { return place_ranks(network, PlacementRule::block, 1); }

Replay replayed(const Network& network, const Schedule& schedule, bool with_timeline = false) {
  Placement placement = one_a_host(network);
  placement.host_of_rank.resize(schedule.size());
  return replay({network, placement}, 1, programs_of(schedule), with_timeline);
}

double broadcast_seconds(const Network& network, const char* plan_text, std::int64_t bytes, int root = 0) {
  const Placement placement = one_a_host(network);
  const Topology topology = topology_of(network, placement);
  const Problem problem{.count = bytes, .root = root};
  const Plan plan = parse_plan(Collective::broadcast, plan_text);
  return replay({network, placement}, 1, source(plan, topology, problem)).seconds;
}

void message(Schedule& schedule, int from_rank, int to_rank, Slice slice) {
  schedule[from_rank].send(slice, to_rank);
  schedule[to_rank].receive(slice, from_rank);
}

std::string refusal(const Network& network, const Schedule& schedule) {
  try {
    replayed(network, schedule);
  } catch (const Refused& error) {
    return error.what();
  }
  return "not refused";
}

// ---- one message

TEST(Replay, AnUncontendedMessageTakesLatencyPlusGap) {
  const Network network = das(2, 2);
  for (int to : {1, 2}) {
    for (std::int64_t bytes : {1, 100, 1000000}) {
      Schedule schedule(4);
      message(schedule, 0, to, output(0, bytes));
      const PLogP layer = plogp_of(network, 0, to);
      EXPECT_NEAR(replayed(network, schedule).seconds, layer.receive_time_s(static_cast<double>(bytes)), 1e-12);
    }
  }
}

TEST(Replay, NothingToDoTakesNoTime) {
  EXPECT_EQ(replayed(das(2, 2), Schedule(4)).seconds, 0);
  EXPECT_EQ(replayed(das(2, 2), Schedule(4)).messages, 0);
}

TEST(Replay, OverheadsFollowPLogP) {
  Network network = star(3, 20e-6, 1e6);
  network.transport.send_overhead_s = 7e-6;
  network.transport.receive_overhead_s = 3e-6;
  const PLogP layer = plogp_of(network, 0, 1);
  for (std::int64_t bytes : {1, 5, 7, 100}) {
    Schedule schedule(3);
    message(schedule, 0, 1, output(0, bytes));
    EXPECT_NEAR(replayed(network, schedule).seconds, layer.receive_time_s(static_cast<double>(bytes)), 1e-12) << bytes;
  }
  // Two sends to two receivers: the second begins when the processor is done with the first.
  Schedule two(3);
  message(two, 0, 1, output(0, 1));
  message(two, 0, 2, output(0, 1));
  EXPECT_NEAR(replayed(network, two).seconds, 7e-6 + 7e-6 + 20e-6, 1e-12);
  // Two messages at one receiver at the same time: its processor takes them one after the other.
  Schedule gather(3);
  message(gather, 1, 0, output(0, 1));
  message(gather, 2, 0, output(1, 1));
  network.transport.receive_overhead_s = 50e-6;
  EXPECT_NEAR(replayed(network, gather).seconds, 20e-6 + 50e-6 + 50e-6, 2e-6);
}

// ---- contention, computed by hand

TEST(Replay, TwoMessagesShareAWideAreaLinkInTurn) {
  const Network network = das(2, 2);
  Schedule schedule(4);
  message(schedule, 0, 2, output(0, 1000000));
  message(schedule, 1, 3, output(0, 1000000));
  const Replay result = replayed(network, schedule);
  const double gap_s = 1000100e-6;
  EXPECT_NEAR(result.rank_end_s[2], 10.020e-3 + gap_s, 1e-12);
  EXPECT_NEAR(result.rank_end_s[3], 10.020e-3 + 2 * gap_s, 1e-12);
}

TEST(Replay, ThreeSendsFromOneHostShareItsLinkInTurn) {
  const Network network = das(4, 1);
  Schedule schedule(4);
  for (int to : {1, 2, 3}) message(schedule, 0, to, output(0, 1000000));
  const Replay result = replayed(network, schedule);
  const double lan_gap_s = 1000100 / 50e6, wan_gap_s = 1.0001;
  for (int to : {1, 2, 3}) {
    EXPECT_NEAR(result.rank_end_s[to], (to - 1) * lan_gap_s + 10.020e-3 + wan_gap_s, 1e-12);
  }
}

TEST(Replay, AMessageThatIsTurnedAwayByALinkLetsOthersPass) {
  // 0 -> 2 and 1 -> 3 queue for the wide-area link; 1 -> 0 is not held up by them.
  const Network network = das(2, 2);
  Schedule schedule(4);
  message(schedule, 0, 2, output(0, 1000000));
  message(schedule, 1, 3, output(0, 1000000));
  message(schedule, 1, 0, output(0, 900));
  EXPECT_NEAR(replayed(network, schedule).rank_end_s[0], 1000100 / 50e6 + 20e-6 + 1000 / 50e6, 1e-12);
}

TEST(Replay, FatpipeLinksCapButDoNotQueue) {
  Network network = das(2, 2);
  network.links[network.trunks[{0, 1}].links[0]].sharing = Sharing::fatpipe;
  Schedule schedule(4);
  message(schedule, 0, 2, output(0, 1000000));
  message(schedule, 1, 3, output(0, 1000000));
  const Replay result = replayed(network, schedule);
  EXPECT_NEAR(result.rank_end_s[2], 10.020e-3 + 1.0001, 1e-12);
  EXPECT_NEAR(result.rank_end_s[3], 10.020e-3 + 1.0001, 1e-12);
}

TEST(Replay, RanksOnOneHostExchangeOverItsLoopback) {
  Network network = star(1, 1e-3, 1e6);
  const Placement placement{{0, 0}};
  Schedule schedule(2);
  message(schedule, 0, 1, output(0, 1000));
  EXPECT_EQ(replay({network, placement}, 1, programs_of(schedule)).seconds, 0);
  network.links.push_back({"loopback", 1e9, 1e-6, Sharing::fatpipe});
  network.hosts[0].loopback = {static_cast<int>(network.links.size()) - 1};
  EXPECT_NEAR(replay({network, placement}, 1, programs_of(schedule)).seconds, 2e-6, tick_s);
}

// ---- how sends complete

TEST(Replay, LargeMessagesWaitForTheirReceive) {
  Network network = star(3, 1e-3, 1e6);
  network.transport.eager_bytes = 1000;
  const auto end_of = [&](std::int64_t bytes) {
    Schedule schedule(3);
    schedule[1].receive(output(0, 2000), 2);  // 3 ms; the next receive overwrites it and has to wait
    schedule[2].send(output(0, 2000), 1);
    message(schedule, 0, 1, output(0, bytes));
    return replayed(network, schedule).rank_end_s;
  };
  EXPECT_NEAR(end_of(1000)[1], 4e-3, 1e-12);  // has waited at the receiver's link
  EXPECT_NEAR(end_of(1000)[0], 0, 1e-12);
  EXPECT_NEAR(end_of(1001)[1], 3e-3 + 1e-3 + 1.001e-3, 1e-12);
  EXPECT_NEAR(end_of(1001)[0], 3e-3 + 1e-3 + 1.001e-3, 1e-12);
}

TEST(Replay, OneSendAtATimeWaitsForTheAcknowledgementOfLargeMessages) {
  Network network = star(3, 1e-3, 1e6);
  network.transport.buffered_bytes = 1000;
  const auto end_of = [&](std::int64_t bytes) {
    Schedule schedule(3);
    schedule[0].set_lane({.one_send_at_a_time = true});
    message(schedule, 0, 1, output(0, bytes));
    message(schedule, 0, 2, output(0, bytes));
    return replayed(network, schedule).rank_end_s;
  };
  EXPECT_NEAR(end_of(1000)[2], 2e-3 + 1e-3, 1e-12);
  EXPECT_NEAR(end_of(1000)[0], 0, 1e-12);
  const double one_s = 1e-3 + 1.001e-3 + 1e-3;
  EXPECT_NEAR(end_of(1001)[2], one_s + 1e-3 + 1.001e-3, 1e-12);
  EXPECT_NEAR(end_of(1001)[0], 2 * one_s, 1e-12);
}

TEST(Replay, LanesAdvanceIndependently) {
  const Network network = star(3, 1e-3, 1e6);
  Schedule schedule(3);
  Program& program = schedule[0];
  program.receive(output(0, 1000), 1);
  program.send(output(0, 1000), 1);  // waits for the receive and holds its lane up
  program.send(output(2000, 10), 2);
  program.add_lane();
  program.send(output(1000, 1000), 2);  // does not wait
  schedule[1].send(output(0, 1000), 0);
  schedule[1].receive(output(0, 1000), 0);
  schedule[2].receive(output(2000, 10), 0);
  schedule[2].add_lane();
  schedule[2].receive(output(1000, 1000), 0);
  const Replay result = replayed(network, schedule, true);
  EXPECT_NEAR(result.timeline.back().end_s, 2e-3, 1e-12);  // rank 2, operation 1
  EXPECT_NEAR(result.rank_end_s[2], 2e-3 + 1e-3 + 1e-3 + 10e-6, 1e-12);
}

// ---- the closed forms

TEST(Replay, FlatTreesAndChainsTakeWhatTheClosedFormsSay) {
  const Network network = star(16, 50e-6, 1e8, 40);
  const PLogP layer = plogp_of(network, 0, 1);
  for (std::int64_t bytes : {1, 1000, 65536}) {
    const auto size = static_cast<double>(bytes);
    EXPECT_NEAR(broadcast_seconds(network, "linear", bytes), flat_tree_cost(layer, 16, size).seconds(1), 1e-12);
    EXPECT_NEAR(broadcast_seconds(network, "chain", bytes), tree_cost(layer, 1, 15, size).seconds(1), 1e-12);
    EXPECT_NEAR(broadcast_seconds(network, "binomial", bytes), 4 * layer.receive_time_s(size), 1e-12);
  }
  EXPECT_NEAR(broadcast_seconds(network, "linear:segment=4Ki", 65536), flat_tree_cost(layer, 16, 4096).seconds(16),
              256 * tick_s);
  EXPECT_NEAR(broadcast_seconds(network, "chain:segment=4Ki", 65536), tree_cost(layer, 1, 15, 4096).seconds(16), 1e-12);
}

TEST(Replay, TreesStayBelowTheUpperBoundsOfTheClosedForms) {
  const Network network = star(40, 50e-6, 1e8, 40);
  const PLogP layer = plogp_of(network, 0, 1);
  for (int degree : {2, 3, 5}) {
    const std::string plan = "k-ary:degree=" + std::to_string(degree) + ",segment=1Ki";
    const double bound = tree_cost_of_size(layer, 40, degree, 1024).seconds(64);
    const double seconds = broadcast_seconds(network, plan.c_str(), 65536);
    EXPECT_LE(seconds, bound + 256 * tick_s);
    EXPECT_GE(seconds, 0.8 * bound);
  }
}

TEST(Replay, MagPIeTakesWhatItsClosedFormSays) {
  for (const Network& network : {das(4, 16), das(8, 8), das(4, 1)}) {
    const TwoLayers layers = two_layers_of({network, one_a_host(network)});
    for (std::int64_t bytes : {1, 1024, 65536, 65537, 1 << 20, 1 << 22}) {
      const double expected = magpie_seconds(layers, bytes, network.transport.buffered_bytes);
      EXPECT_NEAR(broadcast_seconds(network, "magpie", bytes), expected, 1e-9 * expected)
          << network.name << ' ' << bytes;
    }
  }
}

TEST(Replay, ThePipelinedBroadcastIsNearItsClosedForm) {
  for (const Network& network : {das(4, 16), das(8, 8)}) {
    const TwoLayers layers = two_layers_of({network, one_a_host(network)});
    const int wan_degree = layers.clusters - 1;
    for (std::int64_t bytes : {65536, 1 << 20, 1 << 22}) {
      const std::string plan = "kielmann:segment=16Ki,lan-degree=4,wan-degree=" + std::to_string(wan_degree);
      const double expected = pipelined_seconds(layers, bytes, 16384, wan_degree, 4);
      EXPECT_NEAR(broadcast_seconds(network, plan.c_str(), bytes), expected, 0.03 * expected)
          << network.name << ' ' << bytes;
    }
  }
}

TEST(Replay, ReductionsTakeTheProcessorAndHoldUpTheRank) {
  Network network = star(3, 1e-3, 1e6);
  network.transport.reduction_s_per_byte = 2e-6;
  Schedule schedule(3);
  schedule[0].reduce(output(0, 1000), output(0, 1000), output(1000, 1000));  // 2 ms
  message(schedule, 0, 1, output(5000, 10));                                 // needs nothing of it
  schedule[0].add_lane();
  for (int rank : {0, 1, 2}) {
    if (rank > 0) schedule[rank].add_lane();
    schedule[rank].use_lane(1);
  }
  message(schedule, 0, 2, output(0, 1000));  // needs it in another lane
  const Replay result = replayed(network, schedule, true);
  EXPECT_NEAR(result.rank_end_s[1], 2e-3 + 1e-3 + 10e-6, 1e-12);
  EXPECT_NEAR(result.rank_end_s[2], 2e-3 + 10e-6 + 1e-3 + 1e-3, 1e-12);
  EXPECT_NEAR(result.timeline.front().end_s, 2e-3, 1e-12);
}

TEST(Replay, OfMessagesThatReachALinkTogetherThatOfTheLowestRankGoesFirst) {
  // 3 and then 1 are told to send to 0, both at the same moment.
  Schedule schedule(5);
  message(schedule, 2, 3, output(0, 700));
  message(schedule, 4, 1, output(0, 700));
  for (int rank : {3, 1}) {
    schedule[rank].send(output(0, 300), 0);
    schedule[0].receive(output(1000 * rank, 300), rank);
  }
  const Timeline timeline = replayed(star(5, 1e-3, 1e6), schedule, true).timeline;
  EXPECT_NEAR(timeline[0].end_s, 1.7e-3 + 1.3e-3 + 0.3e-3, 1e-12);  // from 3
  EXPECT_NEAR(timeline[1].end_s, 1.7e-3 + 1.3e-3, 1e-12);           // from 1
}

TEST(Replay, FramesOfMessagesThatComeSideBySideTakeTurns) {
  // Over links of 50 MB/s to one of 1 MB/s, 2000 and 1900 bytes and their headers of 100 are three frames and two.
  Network network = das(2, 2);
  network.transport.frame_bytes = 1000;
  Schedule schedule(4);
  message(schedule, 0, 2, output(0, 2000));
  message(schedule, 1, 3, output(0, 1900));
  const Replay result = replayed(network, schedule);
  // They leave the link as 0 1 0 1 0: the last frame of rank 0's message, 700 bytes, is the last of all.
  EXPECT_NEAR(result.rank_end_s[2], 10.020e-3 + 4100e-6, 1e-12);
  EXPECT_NEAR(result.rank_end_s[3], 10.020e-3 + 3400e-6, 1e-12);

  // A message that comes when all of another is there goes behind it.
  network.transport.frame_bytes = 3000;
  const Replay whole = replayed(network, schedule);
  EXPECT_NEAR(whole.rank_end_s[2], 10.020e-3 + 2100e-6, 1e-12);
  EXPECT_NEAR(whole.rank_end_s[3], 10.020e-3 + 4100e-6, 1e-12);
}

// ---- against the slow reference

class RandomSchedules : public ::testing::TestWithParam<int> {};

// With large messages that wait for their receive both ranks go on at the very same moment; where their next messages
// compete for a link, either order is right. So such messages occur only where ranks have hosts and lanes of their own.
struct Variant {
  bool rendezvous;
  int ranks_per_host, max_lanes;
};
constexpr Variant variants[] = {{true, 1, 1}, {false, 1, 3}, {false, 2, 3}, {false, 3, 1}};

Network random_network(std::mt19937& random, bool rendezvous) {
  std::uniform_real_distribution<double> factor(0.5, 2);
  std::uniform_int_distribution<int> few(1, 3);
  Network network = das(few(random), few(random));
  for (Link& link : network.links) {
    link.latency_s *= factor(random);
    link.bandwidth_Bps *= factor(random);
    // Not the first link of a route: messages of one moment would come out of it at the same time.
    if (few(random) == 1 && !link.name.ends_with("_UP")) link.sharing = Sharing::fatpipe;
  }
  for (Host& host : network.hosts) {
    host.loopback = {static_cast<int>(network.links.size())};
    network.links.push_back({"loopback", 1e8 * factor(random), 1e-6 * factor(random), Sharing::shared});
  }
  Transport& transport = network.transport;
  transport.header_bytes = 100 * factor(random);
  transport.eager_bytes = rendezvous ? 40000 : 1000000;
  transport.buffered_bytes = 20000;
  if (few(random) == 1) {
    transport.send_overhead_s = 1e-5 * factor(random);
    transport.send_overhead_s_per_byte = 1e-9 * factor(random);
    transport.receive_overhead_s = 3e-5 * factor(random);
    transport.receive_overhead_s_per_byte = 2e-9 * factor(random);
    transport.reduction_s_per_byte = 1e-9 * factor(random);
  }
  if (few(random) == 1) transport.frame_bytes = 1448 * factor(random);
  if (few(random) != 1) transport.acknowledgement_bytes = 100 * factor(random);
  return network;
}

// Messages and local operations in one global order, which keeps the schedule free of deadlock.
Schedule random_schedule(std::mt19937& random, int ranks, int max_lanes) {
  const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
  const auto slice = [&](std::int64_t count) { return output(below(100000), count); };
  Schedule schedule(ranks);
  const int lanes = 1 + below(max_lanes);
  for (Program& program : schedule) {
    program.set_lane({.one_send_at_a_time = below(3) == 0});
    for (int lane = 1; lane < lanes; ++lane) program.add_lane({.one_send_at_a_time = below(2) == 0});
  }
  for (int i = below(60); i >= 0; --i) {
    const int sender = below(ranks), receiver = below(ranks), lane = below(lanes);
    const std::int64_t count = 1 + below(60000);
    schedule[sender].use_lane(lane);
    if (below(5) == 0) {
      if (below(2) == 0)
        schedule[sender].copy(slice(count), slice(count));
      else
        schedule[sender].reduce(slice(count), slice(count), slice(count));
      continue;
    }
    if (sender == receiver) continue;
    schedule[receiver].use_lane(lane);
    schedule[sender].send(slice(count), receiver);
    schedule[receiver].receive(slice(count), sender);
  }
  return schedule;
}

TEST_P(RandomSchedules, TakeWhatTheSlowReferenceSays) {
  const Variant variant = variants[GetParam()];
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(static_cast<unsigned>(GetParam()) * 1000 + seed);
    const Network network = random_network(random, variant.rendezvous);
    const Placement placement = place_ranks(network, PlacementRule::cyclic, variant.ranks_per_host);
    const Schedule schedule = random_schedule(random, placement.size(), variant.max_lanes);
    const std::vector<double> expected = tests::SlowReplay(network, placement, 1, schedule).run();
    const Replay result = replay({network, placement}, 1, programs_of(schedule), true);
    std::size_t ops = 0;
    for (int rank = 0; rank < placement.size(); ++rank) {
      ASSERT_NEAR(result.rank_end_s[rank], expected[rank], 1e-9) << "seed " << seed << " rank " << rank;
      ops += schedule[rank].ops().size();
    }
    EXPECT_EQ(result.timeline.size(), ops);
    EXPECT_EQ(replay({network, placement}, 1, programs_of(schedule)).rank_end_s, result.rank_end_s);
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, RandomSchedules, ::testing::Range(0, 4));

// ---- results beside the time

TEST(Replay, CountsMessagesAndBytes) {
  Schedule schedule(3);
  message(schedule, 0, 1, output(0, 10));
  message(schedule, 1, 2, output(0, 10));
  const Slice scratch = schedule[2].reserve(10);
  schedule[2].copy(scratch, output(0, 10));
  Placement placement = one_a_host(star(3, 1e-3, 1e6));
  const Replay result = replay({star(3, 1e-3, 1e6), placement}, 8, programs_of(schedule));
  EXPECT_EQ(result.messages, 2);
  EXPECT_EQ(result.bytes, 160);
  EXPECT_TRUE(result.timeline.empty());
}

TEST(Replay, TheTimelineHasEveryOperationOnce) {
  Schedule schedule(3);
  message(schedule, 0, 1, output(0, 1000));
  message(schedule, 1, 2, output(0, 1000));
  const Timeline timeline = replayed(star(3, 1e-3, 1e6), schedule, true).timeline;
  ASSERT_EQ(timeline.size(), 4U);
  EXPECT_EQ(timeline[1].rank, 1);
  EXPECT_EQ(timeline[1].op, 0);
  EXPECT_NEAR(timeline[1].begin_s, 0, 1e-15);
  EXPECT_NEAR(timeline[1].end_s, 2e-3, 1e-12);
  EXPECT_EQ(timeline[2].op, 1);
  EXPECT_NEAR(timeline[2].begin_s, 2e-3, 1e-12);
  EXPECT_NEAR(timeline[3].end_s, 4e-3, 1e-12);
}

// ---- schedules that cannot complete

TEST(Replay, ADeadlockNamesARankAndItsOperation) {
  Schedule schedule(2);
  for (int rank : {0, 1}) {
    schedule[rank].receive(output(0, 10), 1 - rank);
    schedule[rank].send(output(0, 10), 1 - rank);
  }
  EXPECT_THAT(
      refusal(star(2, 1e-3, 1e6), schedule),
      HasSubstr("rank 0: operation 1 (send of 10 elements to rank 1) waits for ever for the message from rank 1"));
}

TEST(Replay, ADeadlockOfSynchronousSendsIsFound) {
  Network network = star(2, 1e-3, 1e6);
  Schedule schedule(2);
  for (int rank : {0, 1}) {
    schedule[rank].send(output(0, 10), 1 - rank);
    schedule[rank].receive(output(0, 10), 1 - rank);  // may not overwrite what is still being sent
  }
  EXPECT_EQ(refusal(network, schedule), "not refused");
  network.transport.eager_bytes = 9;
  EXPECT_THAT(refusal(network, schedule), HasSubstr("deadlock: rank 0: operation 1 (receive"));
}

TEST(Replay, MessagesWithoutAMatchAreRefused) {
  const Network network = star(3, 1e-3, 1e6);
  Schedule lost(3), awaited(3), short_one(3), astray(3);
  message(lost, 0, 1, output(0, 5));
  lost[0].send(output(0, 7), 1);
  EXPECT_THAT(refusal(network, lost),
              HasSubstr("rank 0: operation 1 (send of 7 elements to rank 1): nobody receives it"));
  message(awaited, 0, 1, output(0, 5));
  awaited[1].receive(output(0, 7), 2);
  EXPECT_THAT(refusal(network, awaited),
              HasSubstr("rank 1: operation 1 (receive of 7 elements from rank 2): no such message is sent"));
  short_one[0].send(output(0, 5), 1);
  short_one[1].receive(output(0, 6), 0);
  EXPECT_THAT(refusal(network, short_one), HasSubstr("the message has 5 B instead of 6 B"));
  astray[0].send(output(0, 5), 3);
  EXPECT_THAT(refusal(network, astray), HasSubstr("no such rank"));
}

TEST(Replay, AMissingRouteIsNamed) {
  Network network = das(2, 1);
  network.trunks.erase({0, 1});
  Schedule schedule(2);
  message(schedule, 0, 1, output(0, 5));
  EXPECT_THROW(replayed(network, schedule), BadInput);
}

}  // namespace
}  // namespace isthmus
