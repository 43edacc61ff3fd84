#include "algorithms/tuning/rank_cost.hpp"

#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/topology/common_level.hpp"
#include "algorithms/tuning/scale_correction.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;
using tests::star;

/// The seconds of rank 0 by rank_cost(), and of all ranks by replay.
std::pair<double, double> rank_cost_and_replay(const Network& network, Collective collective, const char* plan_text,
                                               std::int64_t count) {
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  const Problem problem{.collective = collective, .count = count};
  const Plan plan = parse_plan(collective, plan_text);
  const ProgramSource programs = source(plan, topology, problem);
  Program program;
  programs(0, program);
  const double seconds =
      rank_cost(program, 0, topology, LevelCosts({network, placement}), 1, network.transport.reduction_s_per_byte)
          .seconds;
  return {seconds, replay({network, placement}, 1, programs).seconds};
}

TEST(RankCost, IsNearTheReplayWhereAllRanksDoTheSame) {
  Network network = star(16, 20e-6, 50e6, 100);
  network.transport.send_overhead_s = 2e-6;
  network.transport.receive_overhead_s = 3e-6;
  struct Case {
    Collective collective;
    const char* plan;
    std::int64_t count;
    double tolerance;
  };
  for (const Case& one :
       {Case{Collective::allgather, "ring", 1000, 0.06}, Case{Collective::allreduce, "recursive-doubling", 5000, 0.02},
        Case{Collective::barrier, "dissemination", 0, 0.02}}) {
    const auto [seconds, replayed_s] = rank_cost_and_replay(network, one.collective, one.plan, one.count);
    EXPECT_NEAR(seconds, replayed_s, one.tolerance * replayed_s) << one.plan;
  }
}

TEST(RankCost, GrowsWithThoseWhoReceiveFromOne) {
  const auto few = rank_cost_and_replay(star(4, 20e-6, 50e6, 100), Collective::broadcast, "linear", 10000);
  const auto many = rank_cost_and_replay(star(64, 20e-6, 50e6, 100), Collective::broadcast, "linear", 10000);
  EXPECT_NEAR(many.first - few.first, many.second - few.second, 1e-9);
}

TEST(LevelCosts, AreThoseOfTheRanksThatNoSmallerGroupHolds) {
  const Network network = das(2, 3);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  const LevelCosts costs({network, placement});
  ASSERT_EQ(costs.levels(), 2);
  EXPECT_NEAR(costs.between(0).latency_s, 10.02e-3, 1e-12);
  EXPECT_NEAR(costs.between(1).latency_s, 20e-6, 1e-12);
  EXPECT_EQ(common_level(topology, 0, 2), 1);
  EXPECT_EQ(common_level(topology, 2, 3), 0);
}

TEST(ScaleCorrection, CountsTheMessagesThatCrowdTheWideArea) {
  const Network small = das(4, 4), large = das(4, 32);
  const Placement few = place_ranks(small, PlacementRule::block, 1), many = place_ranks(large, PlacementRule::block, 1);
  const Topology copy = topology_of(small, few), whole = topology_of(large, many);
  std::vector<int> copied;
  for (int rank = 0; rank < 16; ++rank) copied.push_back(rank / 4 * 32 + rank % 4);
  const LevelCosts costs({small, few});
  const FullAndSample both{whole, copy, copied, costs};
  const Problem problem{.collective = Collective::allreduce, .count = 32768};
  Program program;
  const ScaleCorrection shared =
      scale_correction_of(parse_plan(problem.collective, "multilevel-shared"), both, problem, problem, program);
  EXPECT_DOUBLE_EQ(shared.wide_area_growth, 8);
  EXPECT_GT(shared.seconds, 0);
  EXPECT_EQ(scale_correction_of(parse_plan(problem.collective, "multilevel"), both, problem, problem, program)
                .wide_area_growth,
            1);
  const Plan chain = parse_plan(Collective::broadcast, "multilevel:levels=linear/chain");
  EXPECT_NEAR(longer_chains_s(chain, both, 0), 28 * costs.between(1).receive_time_s(0), 1e-12);
}

}  // namespace
}  // namespace isthmus
