#include "algorithms/tuning/select.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <random>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

using tests::das;

TEST(Choose, EveryCollectiveGetsAPlanThatServesItAndTakesTheSecondsItSays) {
  const Network network = das(3, 3);
  const Placement placement = place_ranks(network, PlacementRule::cyclic, 1);
  const Topology topology = topology_of(network, placement);
  for (const Collective collective : collectives())
    for (const bool commutative : {true, false})
      for (const std::int64_t count : {0, 1, 1000}) {
        Problem problem = tests::problem_of(collective, count, 4);
        if (!commutative && !has_operator(collective)) continue;
        problem.commutative = commutative;
        const Candidate choice = choose({network, placement}, problem);
        EXPECT_NO_THROW(check(choice.plan, topology, problem)) << name(collective);
        const Replay timed = replay({network, placement}, 8, source(choice.plan, topology, problem));
        EXPECT_EQ(timed.seconds, choice.seconds);
        EXPECT_EQ(timed.messages, choice.messages);
        EXPECT_EQ(timed.bytes, choice.bytes);
      }
}

TEST(Choose, ShortMessagesTakeOneWideAreaLatencyAndLongOnesWhatTheCutAllows) {
  const Network network = das(4, 4);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const auto over_bound = [&](Collective collective, std::int64_t count) {
    const Problem problem = tests::problem_of(collective, count);
    return choose({network, placement}, problem).seconds / lower_bound({network, placement}, problem);
  };
  for (const Collective collective :
       {Collective::barrier, Collective::broadcast, Collective::reduce, Collective::allreduce, Collective::gather,
        Collective::scatter, Collective::allgather, Collective::alltoall, Collective::reduce_scatter_block,
        Collective::scan})
    EXPECT_LT(over_bound(collective, 1), 1.06) << name(collective);
  for (const Collective collective :
       {Collective::broadcast, Collective::reduce, Collective::allreduce, Collective::gather, Collective::scatter,
        Collective::allgather, Collective::alltoall, Collective::reduce_scatter_block})
    EXPECT_LT(over_bound(collective, 131072), 1.08) << name(collective);
}

TEST(Choose, FewBytesGoOverAThirdSiteWhereTheDirectRouteIsLonger) {
  int direct_is_longer = 0;
  for (const tests::RandomMesh& mesh : tests::random_meshes()) {
    const Network network = tests::network_of(mesh);
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
    for (const Collective collective : {Collective::barrier, Collective::allreduce, Collective::alltoall}) {
      const Problem problem = tests::problem_of(collective, 1);
      const double bound_s = lower_bound(placed, problem);
      EXPECT_LT(choose(placed, problem).seconds, 1.06 * bound_s) << name(collective);
      const Plan direct = parse_plan(collective, "multilevel");
      const ProgramSource programs = source(direct, placed.topology(), problem);
      direct_is_longer += replay(placed, problem.element_bytes, programs).seconds > 1.2 * bound_s;
    }
  }
  EXPECT_GT(direct_is_longer, 10);
}

TEST(Choose, TheChoiceHasTheFewestMessagesOfThoseThatAreAsGoodAsTheQuickest) {
  Network network = das(3, 4);
  network.transport = {};  // where messages cost nothing of their own
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  for (const Collective collective :
       {Collective::broadcast, Collective::allreduce, Collective::alltoall, Collective::allgather}) {
    const Problem problem = tests::problem_of(collective, 1 << 17);
    const std::vector<Candidate> all = candidates({network, placement}, problem);
    const Candidate quickest = *std::ranges::min_element(all, {}, &Candidate::seconds);
    EXPECT_LE(all.front().seconds, 1.01 * quickest.seconds) << name(collective);
    for (const Candidate& one : all) {
      EXPECT_EQ(replay({network, placement}, 8, source(one.plan, topology, problem)).messages, one.messages);
      EXPECT_TRUE(one.plan.parameters.segment_bytes == 0 || one.plan.parameters.segment_bytes >= 1024);
      EXPECT_TRUE(one.seconds > 1.01 * quickest.seconds || one.messages >= all.front().messages) << to_string(one.plan);
    }
    // No segment between those that were tried is better either.
    Plan plan = all.front().plan;
    if (plan.parameters.segment_bytes == 0) continue;
    plan.parameters.segment_bytes = plan.parameters.segment_bytes * 3 / 2 / 8 * 8;
    const Replay longer = replay({network, placement}, 8, source(plan, topology, problem));
    EXPECT_TRUE(longer.seconds > 1.01 * quickest.seconds || longer.messages * 3 / 2 >= all.front().messages)
        << to_string(plan);
  }
}

TEST(Choose, CandidatesComeQuickestFirstAndLittleEffortStillFindsOne) {
  const Network network = das(4, 4);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Problem problem = tests::problem_of(Collective::allreduce, 8192);
  const std::vector<Candidate> all = candidates({network, placement}, problem);
  EXPECT_GT(all.size(), 20U);
  for (std::size_t i = 2; i < all.size(); ++i) EXPECT_LE(all[i - 1].seconds, all[i].seconds);
  EXPECT_EQ(candidates({network, placement}, problem, Search::choice, 1).size(), 1U);
  EXPECT_THROW(choose({network, placement}, {.count = -1}), BadInput);
}

TEST(Choose, SegmentsOfAShapeThatIsNamed) {
  const Network network = das(4, 16);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  const Problem problem{.count = (1 << 20) / 8, .element_bytes = 8};
  const Plan chain = parse_plan(Collective::broadcast, "chain");
  const auto seconds = [&](const Plan& plan) {
    return replay({network, placement}, 8, source(plan, topology, problem)).seconds;
  };
  const Plan segmented = choose_parameters(chain, Open::segment, {network, placement}, problem);
  EXPECT_GT(segmented.parameters.segment_bytes, 0);
  EXPECT_EQ(segmented.parameters.segment_bytes % 8, 0);
  for (const std::int64_t segment : {0, 1024, 4096, 65536}) {
    Plan other = segmented;
    other.parameters.segment_bytes = segment;
    EXPECT_LE(seconds(segmented), 1.01 * seconds(other)) << segment;
  }
  EXPECT_EQ(to_string(choose_parameters(chain, Open::nothing, {network, placement}, problem)), "chain");
  EXPECT_EQ(choose_parameters(chain, Open::segment, {network, placement}, {}).parameters.segment_bytes, 0);
  const Plan levels = parse_plan(Collective::broadcast, "multilevel:levels=linear/chain");
  EXPECT_EQ(choose_parameters(levels, Open::segment, {network, placement}, problem).parameters.levels,
            levels.parameters.levels);
}

// A pipeline along hosts of slow links fills sooner with segments of less than a frame.
TEST(Choose, SegmentsOfLessThanAFrameWhereTheyAreTheQuickest) {
  const PlacedNetwork placed(tests::star(8, 100e-6, 1e6, 100), one_rank_a_host(8));
  for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::exscan})
    for (const std::int64_t count : {1000, 5000, 20000}) {
      const Problem problem{.collective = collective, .count = count};
      const double chosen_s = choose(placed, problem).seconds;
      for (const char* segment : {"256", "512", "1Ki", "2Ki"}) {
        const std::string shape = collective == Collective::exscan ? "linear" : "chain";
        const Plan plan = parse_plan(collective, fmt::format("{}:segment={}", shape, segment));
        const double seconds = replay(placed, 1, source(plan, placed.topology(), problem)).seconds;
        EXPECT_LE(chosen_s, 1.01 * seconds) << name(collective) << " " << count << " " << to_string(plan);
      }
    }
}

TEST(Choose, ATopologyAloneIsEnough) {
  const Topology topology =
      Topology::from_paths({{"a", "x"}, {"a", "x"}, {"a", "y"}, {"b"}, {"b"}, {}, {"a", "y"}, {"b"}});
  const Network network = default_network(topology);
  const Placement placement = one_rank_a_host(topology.size());
  const Topology again = topology_of(network, placement);
  ASSERT_EQ(again.groups().size(), topology.groups().size());
  for (std::size_t i = 0; i < again.groups().size(); ++i) {
    EXPECT_EQ(again.groups()[i].name, topology.groups()[i].name);
    EXPECT_EQ(again.groups()[i].ranks, topology.groups()[i].ranks);
  }
  EXPECT_NEAR(network.route(0, 3).latency_s, 10e-3, 2e-4);
  EXPECT_LT(network.route(0, 1).latency_s, network.route(0, 2).latency_s);
  const Candidate choice = choose({network, placement}, tests::problem_of(Collective::barrier, 0));
  EXPECT_LT(choice.seconds, 11e-3);  // one wide-area latency, not two
}

TEST(Choose, UnequalHostsNeedNoGroupsInTheFile) {
  for (const unsigned seed : {1, 2}) {
    std::mt19937 random(seed);
    const Network sites = tests::random_mesh({1, 1, 1, 1, 1}, random).network;
    Network hosts = sites;
    for (Host& host : hosts.hosts) host.zones = {};
    const Placement placement = place_ranks(hosts, PlacementRule::block, 1);
    for (const Collective collective : collectives())
      for (const std::int64_t count : {1, 131072}) {
        if (is_scan(collective)) continue;  // multilevel is better there, and needs groups
        const Problem problem = tests::problem_of(collective, collective == Collective::barrier ? 0 : count);
        const double with_s = choose({sites, placement}, problem).seconds;
        EXPECT_LE(choose({hosts, placement}, problem).seconds, 1.01 * with_s)
            << name(collective) << " " << count << " " << seed;
      }
  }
}

TEST(Choose, ManyHostsWithoutGroupsGetAPackingToo) {
  std::mt19937 random(3);
  Network hosts = tests::random_mesh({4, 4, 4, 4, 4}, random).network;
  for (Host& host : hosts.hosts) host.zones = {};
  const PlacedNetwork placed(hosts, place_ranks(hosts, PlacementRule::block, 1));
  for (const Collective collective : {Collective::broadcast, Collective::allgather, Collective::alltoall}) {
    const Problem problem = tests::problem_of(collective, 262144, 1);
    double others_s = infinite;
    for (const Candidate& one : candidates(placed, problem, Search::every_algorithm))
      if (!has_packing_to_choose(*one.plan.algorithm)) others_s = std::min(others_s, one.seconds);
    EXPECT_LE(choose(placed, problem).seconds, 0.9 * others_s) << name(collective);
  }
}

TEST(Choose, HostsOfOneSwitchMayHaveNoRouteToEachOther) {
  Network network = tests::Mesh({2, 1}).network;
  const auto add = [&](int from, int to) {
    network.links.push_back({"w" + std::to_string(from), 1e6, 1e-3});
    network.trunks[{from, to}].links = {static_cast<int>(network.links.size()) - 1};
  };
  add(0, 1);
  add(1, 0);
  network.trunks.erase({0, 0});
  for (Host& host : network.hosts) host.zones = {};
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  EXPECT_GT(choose({network, placement}, tests::problem_of(Collective::broadcast, 1000)).seconds, 0);
}

TEST(Choose, FewBytesOverASlowLineTakeTheTreeThatCrossesItLeast) {
  for (const int hosts : {2, 3}) {
    Network network = das(4, hosts);
    network.links.push_back({"line", 30e3, 1e-3});
    for (auto& [ends, trunk] : network.trunks)
      if ((ends.first < 2) != (ends.second < 2)) trunk.links.push_back(static_cast<int>(network.links.size()) - 1);
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
    for (const Collective collective : {Collective::allgather, Collective::alltoall, Collective::alltoallv}) {
      const Problem problem{.collective = collective, .count = 1};
      const std::vector<Candidate> all = candidates(placed, problem, Search::every_algorithm);
      const double quickest_s = std::ranges::min_element(all, {}, &Candidate::seconds)->seconds;
      EXPECT_LE(choose(placed, problem).seconds, 1.01 * quickest_s) << name(collective) << " " << hosts;
    }
  }
}

// Forecasts count what crosses the line one message after the other.
TEST(Choose, MembersShareALineOnWhichMessagesDoNotSlowEachOther) {
  Network network = das(2, 5);
  for (Link& link : network.links)
    if (link.name.starts_with("wan")) link = {link.name, 10e3, link.latency_s, Sharing::fatpipe};
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  for (const std::int64_t count : {5000, 20000}) {
    const Problem problem = tests::problem_of(Collective::allreduce, count, 1);
    const std::vector<Candidate> all = candidates(placed, problem, Search::every_algorithm);
    const double quickest_s = std::ranges::min_element(all, {}, &Candidate::seconds)->seconds;
    EXPECT_LE(choose(placed, problem).seconds, 1.01 * quickest_s) << count;
  }
}

// Whole blocks are quicker there than pieces.
TEST(Choose, PackingsOfFewMessagesAreTriedWithLongerPieces) {
  std::mt19937 random(8);
  Network network = tests::random_mesh({2, 1, 2, 3}, random).network;
  network.transport = tcp_over_ethernet();
  for (Link& link : network.links) link.bandwidth_Bps = 1e5 * static_cast<double>(1 + random() % 50);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Problem problem{.collective = Collective::allgather, .count = 16384, .element_bytes = 1};
  const std::vector<Candidate> all = candidates(placed, problem, Search::every_algorithm);
  const double quickest_s = std::ranges::min_element(all, {}, &Candidate::seconds)->seconds;
  EXPECT_LE(choose(placed, problem).seconds, 1.01 * quickest_s);
}

/// With what the search that leaves out least has tried.
void for_some_problems(const PlacedNetwork& placed,
                       const std::function<void(const Problem&, const std::vector<Candidate>&)>& check) {
  for (const Collective collective : {Collective::broadcast, Collective::allreduce, Collective::alltoall})
    for (const std::int64_t count : {1, 1000, 20000}) {
      SCOPED_TRACE(fmt::format("{} {}", name(collective), count));
      const Problem problem = tests::problem_of(collective, count);
      check(problem, candidates(placed, problem));
    }
}

TEST(Choose, WhatIsLeftOutForTheBestOfEachIsNotTheBestOfItsAlgorithm) {
  const Network network = das(3, 4);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const auto quickest_of = [](const Algorithm* algorithm, const std::vector<Candidate>& tried) {
    double least_s = infinite;
    for (const Candidate& one : tried)
      if (one.plan.algorithm == algorithm) least_s = std::min(least_s, one.seconds);
    return least_s;
  };
  for_some_problems(placed, [&](const Problem& problem, const std::vector<Candidate>& all) {
    const std::vector<Candidate> best = candidates(placed, problem, Search::best_of_each);
    EXPECT_LE(best.size(), all.size());
    EXPECT_EQ(best.front().plan.algorithm, all.front().plan.algorithm);
    for (const Candidate& one : all)
      EXPECT_LE(quickest_of(one.plan.algorithm, best), 1.005 * quickest_of(one.plan.algorithm, all))
          << one.plan.algorithm->id;
  });
}

TEST(Choose, WhatIsLeftOutForTheChoiceAloneIsNotTheChoice) {
  const Network network = das(3, 4);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  for_some_problems(placed, [&](const Problem& problem, const std::vector<Candidate>& all) {
    const std::vector<Candidate> alone = candidates(placed, problem, Search::choice_alone);
    EXPECT_LE(alone.size(), all.size());
    EXPECT_LE(alone.front().seconds, 1.005 * all.front().seconds);
  });
}

TEST(Choose, APackingThatIsChosenAsItIsMadeIsChosenWithBetterParametersToo) {
  int packed = 0;
  for (int seed = 0; seed < 4; ++seed) {
    std::mt19937 random(seed);
    const Network network = tests::random_mesh({3, 2, 4, 1}, random).network;
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
    for_some_problems(placed, [&](const Problem& problem, const std::vector<Candidate>&) {
      const Candidate made = candidates(placed, problem, Search::algorithm_alone).front();
      if (made.plan.parameters.packing.empty()) return;
      ++packed;
      const Candidate chosen = candidates(placed, problem, Search::choice_alone).front();
      EXPECT_EQ(chosen.plan.algorithm, made.plan.algorithm) << name(problem.collective) << " " << problem.count;
      EXPECT_LE(chosen.seconds, 1.01 * made.seconds);
    });
  }
  EXPECT_GT(packed, 10);
}

// With few ranks many algorithms have the same schedule.
TEST(Choose, AllSearchesChooseTheSameOfPlansThatTakeTheSameTime) {
  const Network network = das(3, 4);
  int same_time = 0;
  for (const Placement& placement : {Placement{{0, 4}}, Placement{{0, 4, 5}}}) {
    const PlacedNetwork placed(network, placement);
    for (const Collective collective : collectives())
      for (const std::int64_t count : {1, 1250, 16384}) {
        const Problem problem = tests::problem_of(collective, count, 1);
        const Candidate alone = candidates(placed, problem, Search::choice_alone).front();
        const Candidate of_each = candidates(placed, problem, Search::best_of_each).front();
        if (alone.seconds != of_each.seconds) continue;
        ++same_time;
        EXPECT_EQ(to_string(alone.plan), to_string(of_each.plan)) << name(collective) << ", " << count;
      }
  }
  EXPECT_GT(same_time, 90);
}

}  // namespace
}  // namespace isthmus
