#include "algorithms/replay/replay_engines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/programs.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAreArray;
using tests::grid;
using tests::programs_of;
using tests::star;

std::optional<Replay> by_lanes(const Network& network, const Placement& placement, const Schedule& schedule) {
  RouteTable routes(network);
  return replay_lanes({placement, network.transport, routes, 1, programs_of(schedule)});
}

ReplayProgress by_events(const Network& network, const Placement& placement, const Schedule& schedule) {
  CompiledSchedule compiled = compile(placement.size(), 1, network.transport, programs_of(schedule), OpIndices::none);
  RouteTable routes(network);
  return replay_events({placement, network.transport, compiled, routes}, false);
}

bool lanes_suffice(const Network& network, const Schedule& schedule, int ranks_per_host = 1) {
  return by_lanes(network, place_ranks(network, PlacementRule::block, ranks_per_host), schedule).has_value();
}

void message(Schedule& schedule, int from_rank, int to_rank, std::int64_t count = 10) {
  schedule[from_rank].send(output(0, count), to_rank);
  schedule[to_rank].receive(output(0, count), from_rank);
}

// ---- both engines give the same times

Network random_network(std::mt19937& random) {
  std::uniform_int_distribution<int> few(1, 4);
  // Clusters of one host or a single cluster: wide-area links that no two ranks use.
  Network network = few(random) < 3 ? grid({.clusters = 7, .hosts = 1}) : grid({.clusters = 1, .hosts = 7});
  for (Link& link : network.links) {
    link.latency_s *= few(random) - 1;  // also none; small factors make moments coincide
    link.bandwidth_Bps *= few(random);
  }
  network.transport.eager_bytes = 1000000;
  network.transport.buffered_bytes = 20000;
  return network;
}

// Every rank receives from one other, its parent, which sends in one lane, and uses others for local operations.
Schedule random_forest(std::mt19937& random, int ranks) {
  const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
  const auto slice = [&](std::int64_t count) { return output(below(100000), count); };
  Schedule schedule(ranks);
  std::vector<int> order(ranks), sending_lane(ranks);
  for (int rank = 0; rank < ranks; ++rank) order[rank] = rank;
  std::shuffle(order.begin(), order.end(), random);
  for (int rank = 0; rank < ranks; ++rank) {
    schedule[rank].set_lane({.one_send_at_a_time = below(2) == 0});
    for (int lane = 1; lane < 3; ++lane) schedule[rank].add_lane({.one_send_at_a_time = below(2) == 0});
    sending_lane[rank] = below(3);
  }
  for (int i = below(80); i >= 0; --i) {
    const int child = 1 + below(ranks - 1);
    const int receiver = order[child], sender = order[child / 2];
    const std::int64_t count = 1 + below(60000);
    if (below(4) == 0) {
      schedule[receiver].use_lane(below(3));
      schedule[receiver].copy(slice(count), slice(count));
      continue;
    }
    schedule[sender].use_lane(sending_lane[sender]);
    schedule[receiver].use_lane(sending_lane[sender]);
    schedule[sender].send(slice(count), receiver);
    schedule[receiver].receive(slice(count), sender);
  }
  return schedule;
}

TEST(ReplayWays, LanesAndEventsAgreeToTheLastBit) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const Network network = random_network(random);
    const Placement placement = place_ranks(network, PlacementRule::block, 1);
    const Schedule schedule = random_forest(random, placement.size());
    const std::optional<Replay> lanes = by_lanes(network, placement, schedule);
    ASSERT_TRUE(lanes.has_value()) << "seed " << seed;
    ASSERT_THAT(lanes->rank_end_s, ElementsAreArray(by_events(network, placement, schedule).rank_end_s))
        << "seed " << seed;
    const CompiledSchedule compiled =
        compile(placement.size(), 1, network.transport, programs_of(schedule), OpIndices::none);
    ASSERT_EQ(lanes->messages, compiled.sends);
    ASSERT_EQ(lanes->bytes, compiled.bytes);
  }
}

TEST(ReplayWays, LanesFreeTheLinksWhereTheyDoNotSuffice) {
  const Network network = grid({.clusters = 2, .hosts = 4});
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  Schedule schedule(8);
  message(schedule, 0, 4);
  message(schedule, 4, 5);
  message(schedule, 6, 7);
  message(schedule, 3, 7, 1000);
  RouteTable routes(network);
  ASSERT_FALSE(replay_lanes({placement, network.transport, routes, 1, programs_of(schedule)}).has_value());
  CompiledSchedule compiled = compile(8, 1, network.transport, programs_of(schedule), OpIndices::none);
  EXPECT_THAT(replay_events({placement, network.transport, compiled, routes}, false).rank_end_s,
              ElementsAreArray(by_events(network, placement, schedule).rank_end_s));
}

TEST(ReplayWays, LanesLeaveFaultsOfASchedule) {
  const Network network = grid({.clusters = 4, .hosts = 1});
  Schedule sound(4);
  message(sound, 3, 0);
  message(sound, 1, 2);
  ASSERT_TRUE(lanes_suffice(network, sound));
  Schedule deadlock = sound, not_sent = sound, not_received = sound, unequal = sound, nobody = sound;
  for (int rank : {0, 1}) {
    deadlock[rank].receive(output(0, 10), 1 - rank);
    deadlock[rank].send(output(0, 10), 1 - rank);
  }
  not_sent[2].receive(output(0, 10), 1);
  not_received[0].send(output(0, 10), 1);
  unequal[0].send(output(0, 10), 1);
  unequal[1].receive(output(0, 11), 0);
  nobody[0].send(output(0, 10), 4);
  for (const Schedule& schedule : {deadlock, not_sent, not_received, unequal, nobody})
    EXPECT_FALSE(lanes_suffice(network, schedule));
}

TEST(ReplayWays, LanesMatchMessagesOfManySendersAndLanesInOrder) {
  // Rank 0 sends to each in two lanes, twice in each; they post their receives in another order, some before.
  const int ranks = 5;
  Network network = grid({.clusters = ranks, .hosts = 1});
  for (Link& link : network.links) link.sharing = Sharing::fatpipe;
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  Schedule schedule(ranks);
  for (Program& program : schedule) program.add_lane();
  for (int to = 0; to < ranks; ++to) {
    for (int from = ranks; from-- > 0;) {
      if (from == to) continue;
      for (const int lane : {1, 0, 0, 1}) {
        schedule[from].use_lane(lane);
        schedule[from].send(output(100 * to, 10 + from + lane), to);
      }
    }
    for (int from = 0; from < ranks; ++from) {
      if (from == to) continue;
      for (const int lane : {0, 0, 1, 1}) {
        schedule[to].use_lane(lane);
        schedule[to].receive(output(1000 + 50 * from + 20 * lane, 10 + from + lane), from);
      }
    }
  }
  const std::optional<Replay> lanes = by_lanes(network, placement, schedule);
  ASSERT_TRUE(lanes.has_value());
  EXPECT_THAT(lanes->rank_end_s, ElementsAreArray(by_events(network, placement, schedule).rank_end_s));
}

// ---- schedules whose order of messages depends on time

TEST(ReplayWays, ATreeNeedsNoEvents) {
  Schedule schedule(4);
  message(schedule, 0, 2);
  message(schedule, 0, 1);
  message(schedule, 2, 3);
  message(schedule, 0, 2);
  EXPECT_TRUE(lanes_suffice(star(4, 1e-3, 1e6), schedule));
}

TEST(ReplayWays, TwoSendersCompeteForTheLinkOfTheirReceiver) {
  Schedule schedule(3);
  message(schedule, 0, 2);
  message(schedule, 1, 2);
  EXPECT_FALSE(lanes_suffice(star(3, 1e-3, 1e6), schedule));
}

TEST(ReplayWays, TwoLanesOrTwoRanksCompeteForTheLinkOfTheirHost) {
  Schedule lanes(3);
  message(lanes, 0, 1);
  for (int rank : {0, 2}) lanes[rank].add_lane();
  message(lanes, 0, 2);
  EXPECT_FALSE(lanes_suffice(star(3, 1e-3, 1e6), lanes));
  Schedule ranks(4);
  message(ranks, 0, 2);
  message(ranks, 1, 3);
  EXPECT_FALSE(lanes_suffice(star(2, 1e-3, 1e6), ranks, 2));
}

TEST(ReplayWays, MessagesThatComeToALinkByTwoWaysMayOvertakeEachOther) {
  // 0 -> 1 and 0 -> 2 cross the link of the first cluster, one of them after a detour.
  Network network = grid({.clusters = 3, .hosts = 1});
  Schedule schedule(3);
  message(schedule, 0, 1);
  message(schedule, 0, 2);
  EXPECT_TRUE(lanes_suffice(network, schedule));
  const int common = network.trunks[{0, 1}].links[0], detour = network.trunks[{1, 2}].links[0];
  network.trunks[{0, 2}].links = {common};
  EXPECT_TRUE(lanes_suffice(network, schedule));
  network.trunks[{0, 2}].links = {detour, common};
  EXPECT_FALSE(lanes_suffice(network, schedule));
  network.links[detour].sharing = Sharing::fatpipe;
  EXPECT_FALSE(lanes_suffice(network, schedule));
}

TEST(ReplayWays, ProcessorsAndLargeMessagesNeedEvents) {
  Network network = star(2, 1e-3, 1e6);
  Schedule schedule(2);
  message(schedule, 0, 1, 1000);
  EXPECT_TRUE(lanes_suffice(network, schedule));
  network.transport.eager_bytes = 999;
  EXPECT_FALSE(lanes_suffice(network, schedule));
  network.transport.eager_bytes = 1000;
  network.transport.receive_overhead_s_per_byte = 1e-9;
  EXPECT_FALSE(lanes_suffice(network, schedule));
}

TEST(Replay, EndsAtALimitThatItExceedsAndNotBefore) {
  Network network = tests::das(3, 4);
  network.transport = tcp_over_ethernet();
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Problem problem{.collective = Collective::allreduce, .count = 30000};
  const Plan plan = parse_plan(Collective::allreduce, "ring");
  const ProgramSource programs = source(plan, placed.topology(), problem);
  const Replay whole = replay(placed, 1, programs);
  EXPECT_EQ(replay(placed, 1, programs, {.limit_s = whole.seconds}).seconds, whole.seconds);
  const Replay cut = replay(placed, 1, programs, {.limit_s = 0.5 * whole.seconds});
  EXPECT_EQ(cut.seconds, std::numeric_limits<double>::infinity());
  EXPECT_EQ(cut.messages, whole.messages);
}

TEST(Replay, EndsAtALimitForEveryPlanOnUnequalLinks) {
  std::mt19937 random(7);
  std::size_t plans = 0;
  for (int draw = 0; draw < 3; ++draw) {
    Network network = tests::random_mesh({3, 2, 4}, random).network;
    network.transport = tcp_over_ethernet();
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::cyclic, 1 + draw % 2));
    for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::allreduce,
                                        Collective::allgather, Collective::alltoall, Collective::scatter}) {
      const Problem problem{.collective = collective, .count = 20000, .element_bytes = 1};
      for (const Candidate& one : candidates(placed, problem, Search::every_algorithm, 100'000)) {
        const ProgramSource programs = source(one.plan, placed.topology(), problem);
        EXPECT_EQ(replay(placed, 1, programs, {.limit_s = one.seconds}).seconds, one.seconds) << to_string(one.plan);
        EXPECT_EQ(replay(placed, 1, programs, {.limit_s = 0.999 * one.seconds}).seconds,
                  std::numeric_limits<double>::infinity())
            << to_string(one.plan);
        ++plans;
      }
    }
  }
  EXPECT_GT(plans, 200U);
}

/// Large messages that arrive slowly are served together, frame by frame.
TEST(Replay, DoesNotEndBeforeALimitWhereManyMessagesShareLinks) {
  std::mt19937 random(11);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int draw = 0; draw < 24; ++draw) {
    tests::Mesh mesh({1 + draw % 5, 3, 2, 4}, draw % 2 == 0 ? 3e7 : 1e8);
    for (int from = 0; from < 4; ++from)
      for (int to = 0; to < 4; ++to)
        if (from != to) mesh.join(from, to, between(1e6, draw % 3 == 0 ? 6e8 : 2e7), between(1e-4, 0.12));
    mesh.network.transport = tcp_over_ethernet();
    const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::cyclic, 1));
    for (const auto& [collective, text] :
         {std::pair(Collective::alltoall, "linear"), std::pair(Collective::alltoall, "multilevel"),
          std::pair(Collective::allgather, "multilevel"), std::pair(Collective::reduce_scatter_block, "pairwise")}) {
      const Problem problem{.collective = collective, .count = 2'000'000, .element_bytes = 8};
      const Plan plan = parse_plan(collective, text);
      const ProgramSource programs = source(plan, placed.topology(), problem);
      const double seconds = replay(placed, 8, programs).seconds;
      EXPECT_EQ(replay(placed, 8, programs, {.limit_s = seconds}).seconds, seconds) << to_string(plan) << " " << draw;
    }
  }
}

}  // namespace
}  // namespace isthmus
