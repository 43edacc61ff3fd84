#include "algorithms/tuning/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalog.hpp"
#include "algorithms/models/kielmann.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;

TwoLayers layers_of(const Network& network) {
  return two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
}

// The best over every number of segments and every degree, by exhaustive search.
double best_by_brute_force(const TwoLayers& layers, std::int64_t count, std::int64_t element_bytes) {
  double best = 1e300;
  for (std::int64_t segments = 1; segments <= count; ++segments) {
    const std::int64_t segment = (count + segments - 1) / segments;
    for (int wan = 1; wan <= std::max(1, layers.clusters - 1); ++wan) {
      for (int lan = 1; lan <= std::max(1, layers.cluster_size - 1); ++lan) {
        best = std::min(best, pipelined_seconds(layers, count * element_bytes, segment * element_bytes, wan, lan));
      }
    }
  }
  return best;
}

TEST(Search, TheExhaustiveSearchLeavesNothingOut) {
  for (const Network& network : {das(4, 4), das(3, 1), das(1, 7)}) {
    const TwoLayers layers = layers_of(network);
    for (std::int64_t count : {1, 2, 3, 7, 64, 1000, 1999}) {
      for (std::int64_t element : {1, 8, 1000}) {
        EXPECT_DOUBLE_EQ(search_kielmann_exhaustively(layers, count * element, element).seconds,
                         best_by_brute_force(layers, count, element))
            << network.name << ' ' << count << " x " << element;
      }
    }
  }
}

class HeuristicOn : public ::testing::TestWithParam<Network> {};

TEST_P(HeuristicOn, IsWithinOnePercentOfTheOptimumForNearlyAllSizes) {
  for (double overhead_s : {0.0, 5e-6}) {
    Network network = GetParam();
    network.transport.send_overhead_s = network.transport.receive_overhead_s = overhead_s;
    const TwoLayers layers = layers_of(network);
    int sizes = 0, near = 0;
    for (std::int64_t bytes = 1; bytes <= 4194304; bytes *= 2) {
      const KielmannChoice heuristic = search_kielmann(layers, bytes, 1);
      const KielmannChoice optimum = search_kielmann_exhaustively(layers, bytes, 1);
      EXPECT_GE(heuristic.min_seconds, optimum.seconds * (1 - 1e-12)) << bytes;
      EXPECT_LE(heuristic.min_seconds, 1.1 * optimum.seconds) << bytes;
      EXPECT_LE(heuristic.seconds, 1.01 * heuristic.min_seconds) << "in fewer segments, " << bytes;
      ++sizes;
      if (heuristic.min_seconds <= 1.01 * optimum.seconds) ++near;
    }
    EXPECT_GE(near, 0.95 * sizes) << overhead_s;
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, HeuristicOn, ::testing::Values(das(4, 16), das(8, 8)),
                         [](const auto& tested) { return "Das" + tested.param.name; });

TEST(Search, TheChoiceIsAPlanThatCostsWhatItSays) {
  const TwoLayers layers = layers_of(das(4, 16));
  for (std::int64_t element : {1, 3, 8}) {
    for (std::int64_t count : {1, 2, 5, 1000, 100003}) {
      const std::int64_t bytes = count * element;
      const KielmannChoice choice = search_kielmann(layers, bytes, element);
      EXPECT_EQ(choice.segment_bytes % element, 0);
      EXPECT_EQ(choice.segments, (bytes + choice.segment_bytes - 1) / choice.segment_bytes);
      EXPECT_GE(choice.wan_degree, 1);
      EXPECT_LE(choice.wan_degree, 3);
      EXPECT_GE(choice.lan_degree, 1);
      EXPECT_LE(choice.lan_degree, 15);
      EXPECT_DOUBLE_EQ(choice.seconds,
                       pipelined_seconds(layers, bytes, choice.segment_bytes, choice.wan_degree, choice.lan_degree));
    }
  }
}

TEST(Search, MessagesThatCostNothingAreNotCutInSingleBytes) {
  Network network = das(2, 4);
  network.transport.header_bytes = 0;
  const TwoLayers layers = layers_of(network);
  for (const std::int64_t bytes : {std::int64_t{1} << 16, std::int64_t{1} << 24, std::int64_t{1} << 32}) {
    const KielmannChoice choice = search_kielmann(layers, bytes, 1);
    EXPECT_GE(choice.segment_bytes, 1024) << bytes;
    EXPECT_LE(choice.segments, 4096) << bytes;
    EXPECT_LE(choice.seconds, 1.011 * pipelined_seconds(layers, bytes, 1024, choice.wan_degree, choice.lan_degree));
  }
}

TEST(Search, NoFewerSegmentsWouldBeAsQuick) {
  const TwoLayers layers = layers_of(das(4, 16));
  for (const std::int64_t bytes : {std::int64_t{1} << 16, std::int64_t{1} << 20, std::int64_t{1} << 22}) {
    const KielmannChoice choice = search_kielmann(layers, bytes, 1);
    EXPECT_GT(choice.seconds, choice.min_seconds);
    double fewer_s = 1e300;
    for (int wan = 1; wan <= 3; ++wan)
      for (int lan = 1; lan <= 15; ++lan) {
        const std::int64_t longer = (bytes + choice.segments - 2) / (choice.segments - 1);
        fewer_s = std::min(fewer_s, pipelined_seconds(layers, bytes, longer, wan, lan));
      }
    EXPECT_GT(fewer_s, 1.01 * choice.min_seconds) << bytes;
  }
}

TEST(Search, WhatIsFixedStaysFixed) {
  const TwoLayers layers = layers_of(das(4, 16));
  for (const auto& search : {search_kielmann, search_kielmann_exhaustively}) {
    const KielmannChoice choice = search(layers, 1 << 20, 8, {.segment_bytes = 4096, .wan_degree = 2, .lan_degree = 5});
    EXPECT_EQ(choice.segment_bytes, 4096);
    EXPECT_EQ(choice.wan_degree, 2);
    EXPECT_EQ(choice.lan_degree, 5);
    EXPECT_EQ(search(layers, 1 << 20, 8, {.wan_degree = 1}).wan_degree, 1);
  }
}

TEST(Search, NothingToSendAndNobodyToSendToAreFine) {
  const TwoLayers layers = layers_of(das(4, 16)), alone = layers_of(das(1, 1));
  for (const auto& search : {search_kielmann, search_kielmann_exhaustively}) {
    EXPECT_EQ(search(layers, 0, 8, {}).seconds, 0);
    EXPECT_EQ(search(layers, 0, 8, {}).segments, 1);
    EXPECT_EQ(search(alone, 1000, 8, {}).seconds, 0);
    EXPECT_EQ(search(layers, 1, 1, {}).segments, 1);
  }
}

TEST(Search, LinksThatCostNothingAreServed) {
  Network network = das(4, 4);
  for (Link& link : network.links) {
    if (link.latency_s < 1e-3) link.bandwidth_Bps = 1e300;
  }
  const KielmannChoice choice = search_kielmann(layers_of(network), 1 << 20, 1);
  EXPECT_EQ(choice.wan_degree, 3);
  EXPECT_LE(choice.seconds, 1.01 * search_kielmann_exhaustively(layers_of(network), 1 << 20, 1).seconds);
}

// ---- fill_required_parameters()

class Complete : public ::testing::Test {
 protected:
  Plan completed(const char* plan_text, std::int64_t bytes, bool segment_open = true) const {
    return fill_required_parameters(parse_plan(Collective::broadcast, plan_text), {network, placement},
                                    problem_of(bytes), segment_open);
  }
  static Problem problem_of(std::int64_t bytes) { return {.count = bytes / 8, .element_bytes = 8}; }

  const Network network = das(4, 16);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
};

TEST_F(Complete, KielmannGetsWhatTheSearchFinds) {
  const KielmannChoice choice = search_kielmann(two_layers_of({network, placement}), 4194304, 8);
  const Parameters parameters = completed("kielmann", 4194304).parameters;
  EXPECT_EQ(parameters.segment_bytes, choice.segment_bytes);
  EXPECT_EQ(parameters.wan_degree, choice.wan_degree);
  EXPECT_EQ(parameters.lan_degree, choice.lan_degree);
  EXPECT_GT(choice.segments, 1);
}

TEST_F(Complete, WhatIsGivenStays) {
  const Parameters parameters = completed("kielmann:wan-degree=2,segment=8Ki", 4194304, false).parameters;
  EXPECT_EQ(parameters.segment_bytes, 8192);
  EXPECT_EQ(parameters.wan_degree, 2);
  EXPECT_GT(parameters.lan_degree, 0);
}

TEST_F(Complete, SmallAndEmptyMessagesStayWhole) {
  for (std::int64_t bytes : {0, 8, 16}) {
    const Plan plan = completed("kielmann", bytes);
    EXPECT_EQ(plan.parameters.segment_bytes, 0);
    EXPECT_NO_THROW(check(plan, topology, problem_of(bytes)));
  }
}

TEST_F(Complete, ASegmentThatIsNotOpenStays) {
  EXPECT_EQ(completed("kielmann", 4194304, false).parameters.segment_bytes, 0);
  EXPECT_EQ(completed("chain", 1 << 20).parameters.segment_bytes, 0);
}

}  // namespace
}  // namespace isthmus
