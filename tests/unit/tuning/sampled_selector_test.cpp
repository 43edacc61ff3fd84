#include "algorithms/tuning/sampled_selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

using tests::das;

TEST(SampledSelector, CopiesAFewRanksOfEveryGroup) {
  const Network network = das(4, 16);
  EXPECT_EQ(SampledSelector({network, place_ranks(network, PlacementRule::block, 1)}).sampled_ranks(), 16);
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 1024; ++rank) paths.push_back({std::to_string(rank / 256), std::to_string(rank / 32)});
  EXPECT_EQ(SampledSelector(Topology::from_paths(paths)).sampled_ranks(), 16);
  EXPECT_EQ(SampledSelector(Topology::flat(7)).sampled_ranks(), 7);
  EXPECT_EQ(SampledSelector({network, place_ranks(network, PlacementRule::block, 1, 32)}).sampled_ranks(), 32);
}

TEST(SampledSelector, EveryCollectiveGetsAPlanThatServes) {
  const Topology topology = Topology::from_paths(
      {{"a", "x"}, {"a", "x"}, {"a", "y"}, {"b"}, {"b"}, {}, {"a", "y"}, {"b"}, {"b"}, {"b"}, {"b"}, {"a", "y"}});
  const SampledSelector selector(topology);
  for (const Collective collective : collectives())
    for (const bool commutative : {true, false})
      for (const std::int64_t count : {0, 1, 100, 100000}) {
        if (!commutative && !has_operator(collective)) continue;
        Problem problem = tests::problem_of(collective, count, 5);
        problem.commutative = commutative;
        const Choice choice = selector.choose(problem);
        EXPECT_NO_THROW(check(choice.plan, topology, problem)) << name(collective);
        EXPECT_EQ(to_string(selector.choose(problem).plan), to_string(choice.plan));
      }
}

TEST(SampledSelector, KnowsWhatWasMeasuredOfTheLinks) {
  const Network network = das(4, 16);
  Network measured = network;
  for (Link& link : measured.links) {
    const auto same = [&](const LinkClass& one) { return one.gap(0) == 100 / link.bandwidth_Bps; };
    const auto known = std::find_if(measured.classes.begin(), measured.classes.end(), same);
    link.link_class = static_cast<int>(known - measured.classes.begin());
    if (known != measured.classes.end()) continue;
    const SizeFunction nothing({{0, 0}});
    measured.classes.push_back({std::to_string(link.link_class),
                                SizeFunction::linear(100 / link.bandwidth_Bps, 1 / link.bandwidth_Bps), nothing,
                                nothing});
  }
  ASSERT_EQ(measured.classes.size(), 2u);
  ASSERT_EQ(network.transport.header_bytes, 100);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  for (const Collective collective : collectives()) {
    const Problem problem = tests::problem_of(collective, 1000, 0);
    EXPECT_NEAR(SampledSelector({measured, placement}).choose(problem).seconds,
                SampledSelector({network, placement}).choose(problem).seconds, 1e-9)
        << name(collective);
  }
}

struct SampledChoice {
  double seconds;  // of the plan chosen, on the whole
  double best_s;
  std::string plan, best;
};

SampledChoice choose_sampled(const Network& network, const Placement& placement, const Problem& problem) {
  const Topology topology = topology_of(network, placement);
  const Plan plan = SampledSelector({network, placement}).choose(problem).plan;
  const Candidate best = choose({network, placement}, problem, 100000);
  return {replay({network, placement}, problem.element_bytes, source(plan, topology, problem)).seconds, best.seconds,
          to_string(plan), to_string(best.plan)};
}

TEST(SampledSelector, LosesLittleAgainstTryingEverythingOnTheWhole) {
  for (const PlacementRule rule : {PlacementRule::block, PlacementRule::cyclic}) {
    const Network network = das(4, 12);
    const Placement placement = place_ranks(network, rule, 1);
    std::vector<double> regrets;
    for (const Collective collective : collectives())
      for (const std::int64_t count : {1, 8192}) {
        const SampledChoice found = choose_sampled(network, placement, tests::problem_of(collective, count, 3));
        regrets.push_back(found.seconds / found.best_s - 1);
        EXPECT_LT(regrets.back(), 0.25) << name(collective) << " of " << count << ": " << found.plan << " where "
                                        << found.best << " is best";
      }
    std::sort(regrets.begin(), regrets.end());
    EXPECT_LT(regrets[regrets.size() / 2], 0.05);
  }
}

TEST(SampledSelector, LosesLittleBetweenUnequalSites) {
  std::vector<double> regrets;
  for (const std::size_t number : {0u, 4u, 8u}) {
    tests::RandomMesh mesh = tests::random_meshes()[number];
    for (int& size : mesh.sizes) size *= 2;  // more than the ranks of a sample
    const Network network = tests::network_of(mesh, 78);
    const Placement placement = place_ranks(network, PlacementRule::block, 1);
    for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::allreduce,
                                        Collective::allgather, Collective::alltoall})
      for (const std::int64_t count : {1, 65536}) {
        const SampledChoice found = choose_sampled(network, placement, tests::problem_of(collective, count, 0));
        regrets.push_back(found.seconds / found.best_s - 1);
        EXPECT_LT(regrets.back(), 0.05) << name(collective) << " of " << count << " on mesh " << number << ": "
                                        << found.plan << " where " << found.best << " is best";
      }
  }
  std::ranges::sort(regrets);
  EXPECT_LT(regrets[regrets.size() / 2], 0.01);
}

TEST(SampledSelector, KnowsWhatACopyOfAFewRanksCannotShow) {
  std::vector<std::vector<std::string>> paths;
  for (int rank = 0; rank < 512; ++rank) paths.push_back({std::to_string(rank / 128), std::to_string(rank / 16)});
  const Topology machines = Topology::from_paths(paths);
  const Network two_levels = das(4, 128), three_levels = default_network(machines);
  const Placement placement = one_rank_a_host(512);
  // Shares of a short message in many pieces; one who tells 127 others; a tree of two layers for three; many steps.
  EXPECT_LT(choose_sampled(two_levels, placement, tests::problem_of(Collective::reduce, 4096, 0)).seconds, 0.06);
  EXPECT_LT(choose_sampled(two_levels, placement, tests::problem_of(Collective::gather, 1, 0)).seconds, 0.0115);
  EXPECT_LT(choose_sampled(three_levels, placement, tests::problem_of(Collective::broadcast, 4096, 0)).seconds, 0.022);
  EXPECT_LT(choose_sampled(three_levels, placement, tests::problem_of(Collective::allgather, 1, 0)).seconds, 0.011);
}

}  // namespace
}  // namespace isthmus
