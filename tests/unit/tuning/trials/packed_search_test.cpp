// What the search among packings tries beyond the packing of the synthesis, on networks small enough to see why.
#include "algorithms/tuning/trials/packed_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/select.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

PlacedNetwork placed(const Network& network) { return {network, place_ranks(network, PlacementRule::block, 1)}; }

double over_bound(const PlacedNetwork& network, const Problem& problem) {
  return choose(network, problem).seconds / lower_bound(network, problem);
}

/// A host that sends to a near site of four hosts and to a far one of one host, over lines ten times as fast as its own
/// link.
PlacedNetwork near_and_far() {
  tests::Mesh mesh({1, 4, 1}, 1e6);
  for (const auto& [a, b, latency_s] : {std::tuple(0, 1, 1e-3), std::tuple(0, 2, 50e-3), std::tuple(1, 2, 50e-3)}) {
    mesh.join(a, b, 10e6, latency_s);
    mesh.join(b, a, 10e6, latency_s);
  }
  return placed(mesh.network);
}

TEST(PackedSearch, BytesForFarSitesSetOutFirst) {
  const PlacedNetwork network = near_and_far();
  const Problem problem{.collective = Collective::scatter, .count = 1500, .element_bytes = 8};
  const Plan made = PackedPlans(network).completed(parse_plan(Collective::scatter, "packed"), problem, true).plan;
  const Plan timed = PackedPlans(network).longest_first(made, problem, DueOrder::late);
  ASSERT_EQ(timed.parameters.packing.ways.size(), 2U);
  for (const Way& way : timed.parameters.packing.ways) {
    // 12,000 B for the far host take 12 ms of the host's link and are there 50 ms later; 48,000 B for the near ones
    // take 48 ms more.
    const bool is_far = way.sites.back() == 2;
    EXPECT_NEAR(way.last_due, is_far ? 1000 * 12 / 62 : 1000, 50) << to_string(timed);
    EXPECT_LT(way.first_due, way.last_due);
  }
  EXPECT_LT(over_bound(network, problem), 1.02);
}

TEST(PackedSearch, PlansWithoutATimeAreNotRefined) {
  const PlacedNetwork network = near_and_far();
  const Problem problem{.collective = Collective::scatter, .count = 1500, .element_bytes = 8};
  const PackedPlans plans(network);
  KnownReplays replays(network, problem);
  PlanTimes times(network, problem, Search::choice, replays);
  times.begin_algorithm(1000);
  times.seconds_of(parse_plan(Collective::scatter, "multilevel"));
  times.begin_algorithm(0);
  PackedSearch search(plans, times, 0);  // no message of a packing may be replayed
  search.compare(plans.several(parse_plan(Collective::scatter, "packed"), problem), 1);
  search.refine();
  EXPECT_EQ(search.seconds(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(times.tried().size(), 1U);
}

TEST(PackedSearch, SumsAreExchangedByAllHostsOfASite) {
  // Eight hosts a site, whose links are no faster than those between sites: one that speaks for them would have to take
  // in three times as much from them as all of them do in turn.
  tests::Mesh mesh({8, 8, 8}, 10e6);
  mesh.join_all(40e6, 20e-3);
  const PlacedNetwork network = placed(mesh.network);
  const Problem problem{.collective = Collective::allreduce, .count = 4000, .element_bytes = 8};
  EXPECT_LT(over_bound(network, problem), 1.3);
}

TEST(PackedSearch, BlocksInsideASiteGoAmongTheOthersWhereHostsAreTheLimit) {
  tests::Mesh mesh({4, 2, 2}, 10e6);
  mesh.join_all(10e6, 5e-3);
  const Problem problem{.collective = Collective::alltoall, .count = 200'000, .element_bytes = 8};
  EXPECT_LT(over_bound(placed(mesh.network), problem), 1.15);
}

TEST(PackedSearch, SharesFollowTheReplay) {
  // With the shares of the forecast 1.11 and 1.33 times the bound: pieces of several ways meet.
  const Problem problem{.collective = Collective::allgather, .count = 1 << 17, .element_bytes = 1};
  for (const auto& [seed, limit] : {std::pair(6U, 1.03), std::pair(10U, 1.2)}) {
    std::mt19937 random(seed);
    EXPECT_LT(over_bound(placed(tests::random_mesh({1, 1, 1, 1, 1}, random).network), problem), limit) << seed;
  }
}

TEST(PackedSearch, EachSiteRelaysOnceWhereAllAreAlike) {
  Network network = tests::das(8, 8);
  network.transport = tcp_over_ethernet();
  const PlacedNetwork alike = placed(network);
  const Candidate choice = choose(alike, {.collective = Collective::broadcast, .count = 1 << 20, .element_bytes = 1});
  EXPECT_EQ(choice.plan.parameters.packing.ways.size(), 7U) << to_string(choice.plan);
  for (const Way& way : choice.plan.parameters.packing.ways) {
    const auto relay = std::ranges::max(way.sites);
    EXPECT_EQ(std::ranges::count(way.sites, relay), 6) << to_string(choice.plan);  // all but itself and the root
  }
}

TEST(PackedSearch, OperandsOfAReduceKeepInStepByCredits) {
  // Three sites send to the root by way of site 1, whose host takes in 12 MB/s. Two of them could send 10 MB/s each; if
  // they do, the third gets no more than half of the 4 MB/s that it has to send from the start on.
  tests::Mesh mesh({1, 1, 1, 1, 1}, 12e6);
  const auto join = [&](int from, int to, double rate_Bps) {
    mesh.join(from, to, rate_Bps, 1e-3);
    mesh.join(to, from, rate_Bps, 1e-3);
  };
  join(1, 0, 4e6);
  join(2, 1, 10e6);
  join(3, 1, 10e6);
  join(4, 1, 4e6);
  const PlacedNetwork network = placed(mesh.network);
  const Problem problem{.collective = Collective::reduce, .count = 1'000'000, .element_bytes = 8};
  const Candidate chosen = choose(network, problem);
  EXPECT_GT(chosen.plan.parameters.packing.credit, 0) << to_string(chosen.plan);
  EXPECT_LT(chosen.seconds / lower_bound(network, problem), 1.05) << to_string(chosen.plan);
  Plan without = chosen.plan;
  without.parameters.packing.credit = 0;
  EXPECT_GT(replay(network, problem.element_bytes, source(without, network.topology(), problem)).seconds,
            1.2 * chosen.seconds);
}

TEST(PackedSearch, PiecesOfAnAllreduceGoStraightInsideSitesWhereHostsAreTheLimit) {
  // Hosts of three rates, all of which an allreduce at the bound keeps busy.
  tests::Mesh mesh({4, 3, 2}, 10e6);
  for (int from = 0; from < 3; ++from)
    for (int to = 0; to < 3; ++to)
      if (from != to) mesh.join(from, to, 15e6 + 5e6 * from, 5e-3);
  EXPECT_LT(
      over_bound(placed(mesh.network), {.collective = Collective::allreduce, .count = 10'000'000, .element_bytes = 8}),
      1.1);
}

TEST(PackedSearch, WhatAcknowledgesAFastLineIsLeftRoomOnTheSlowLineOfTheOtherDirection) {
  // The line from the first site to the second is twenty times as fast as that back, which acknowledgements of the
  // former fill to 44 %.
  tests::Mesh mesh({2, 2, 2}, 125e6);
  mesh.network.transport = tcp_over_ethernet();
  const auto join = [&](int a, int b, double there_Bps, double back_Bps) {
    mesh.join(a, b, there_Bps, 5e-3);
    mesh.join(b, a, back_Bps, 5e-3);
  };
  join(0, 1, 10e6, 0.5e6);
  join(1, 2, 10e6, 0.5e6);
  join(2, 0, 10e6, 0.5e6);
  EXPECT_LT(
      over_bound(placed(mesh.network), {.collective = Collective::allreduce, .count = 1'000'000, .element_bytes = 8}),
      1.05);
}

}  // namespace
}  // namespace isthmus
