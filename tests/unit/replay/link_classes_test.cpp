// Measured classes of links in the replay and in P-LogP.
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/models/closed_forms.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/replay/replay_engines.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

/// Clusters whose links are of two classes; the functions have bends.
Network measured(int clusters, int hosts) {
  Network network = tests::das(clusters, hosts);
  network.classes = {{"site",
                      SizeFunction({{0, 3e-6}, {1000, 30e-6}, {8000, 180e-6}, {64000, 2e-3}}),
                      SizeFunction({{0, 1e-6}, {1000, 2e-6}, {8000, 20e-6}}),
                      SizeFunction({{0, 2e-6}, {1000, 3e-6}, {8000, 9e-6}}),
                      {}},
                     {"wide area",
                      SizeFunction({{0, 50e-6}, {1000, 2e-3}, {64000, 80e-3}}),
                      SizeFunction({{0, 10e-6}, {8000, 40e-6}}),
                      SizeFunction({{0, 20e-6}, {8000, 30e-6}}),
                      {}}};
  for (Link& link : network.links) link.link_class = link.name.starts_with("wan") ? 1 : 0;
  return network;
}

double replayed(const Network& network, Collective collective, const char* text, std::int64_t bytes) {
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  const Plan plan = parse_plan(collective, text);
  const Problem problem{.collective = collective, .count = bytes};
  return replay({network, placement}, 1, source(plan, topology, problem)).seconds;
}

TEST(LinkClasses, AreThePLogPOfARoute) {
  const Network network = measured(2, 2);
  const PLogP inside = plogp_of(network, 0, 1), between = plogp_of(network, 0, 2);
  EXPECT_DOUBLE_EQ(inside.latency_s, 20e-6);
  EXPECT_DOUBLE_EQ(between.latency_s, 10.02e-3);
  for (const double bytes : {1.0, 700.0, 1000.0, 5000.0, 1e5}) {
    EXPECT_DOUBLE_EQ(inside.gap(bytes), network.classes[0].gap(bytes));
    EXPECT_DOUBLE_EQ(between.gap(bytes), network.classes[1].gap(bytes));
    EXPECT_DOUBLE_EQ(inside.send_overhead(bytes), network.classes[0].send_overhead(bytes));
    EXPECT_DOUBLE_EQ(between.receive_overhead(bytes), network.classes[1].receive_overhead(bytes));
  }
}

TEST(LinkClasses, TimeAMessageAsPLogPDoes) {
  const Network network = measured(2, 1);
  const PLogP layer = plogp_of(network, 0, 1);
  for (const std::int64_t bytes : {1, 999, 1000, 1001, 8000, 64000, 1000000})
    EXPECT_NEAR(replayed(network, Collective::broadcast, "linear", bytes),
                layer.receive_time_s(static_cast<double>(bytes)), 1e-12);
}

TEST(LinkClasses, AreWhatClosedFormsAreExactOn) {
  Network network = measured(1, 16);
  for (LinkClass& one : network.classes) one.send_overhead = one.receive_overhead = SizeFunction({{0, 0}, {1, 0}});
  const ModelParameters parameters = parameters_of(plogp_of(network, 0, 1));
  for (const char* text : {"linear", "chain:segment=1000", "binomial", "chain:segment=700"}) {
    for (const std::int64_t bytes : {700, 21000}) {
      const auto formula =
          predict(Model::plogp, parameters, parse_plan(Collective::broadcast, text), {.count = bytes}, 16);
      EXPECT_NEAR(formula->min_s / replayed(network, Collective::broadcast, text, bytes), 1, 1e-9) << text;
    }
  }
}

TEST(LinkClasses, KeepTheProcessorBusy) {
  // os(1000) = 2 us and or = 3 us lie within the gap of 30 us; at 8000 B sends of os = 20 us are issued more quickly
  // than they leave. Where the gap is short, or sets the pace of the root that takes in.
  Network network = measured(1, 9);
  network.classes[0].gap = SizeFunction({{0, 0}, {1000, 20e-6}});
  network.classes[0].receive_overhead = SizeFunction({{0, 100e-6}, {1, 100e-6}});
  EXPECT_NEAR(replayed(network, Collective::reduce, "flat", 1000), 20e-6 + 2e-6 + 8 * 100e-6, 25e-6);
}

TEST(LinkClasses, LetMessagesToManyFollowMoreQuickly) {
  Network network = measured(1, 32);
  for (LinkClass& one : network.classes) one.send_overhead = one.receive_overhead = SizeFunction({{0, 0}, {1, 0}});
  const double gap_s = network.classes[0].gap(8000), latency_s = 20e-6;
  EXPECT_NEAR(replayed(network, Collective::broadcast, "linear", 8000), latency_s + 31 * gap_s, 1e-12);
  network.classes[0].gap_factors = {{8, 1}, {9, 0.5}};
  // The first message finds itself alone, the eighth seven others, all from the ninth on half as long; the receivers'
  // links know one destination only.
  EXPECT_NEAR(replayed(network, Collective::broadcast, "linear", 8000),
              latency_s + (8 + 23 * 0.5) * gap_s + gap_s * 0.5, 1e-12);
  // In a chain every rank has one destination.
  EXPECT_NEAR(replayed(network, Collective::broadcast, "chain", 8000), 31 * (latency_s + gap_s), 1e-9);
}

TEST(LinkClasses, AreReplayedAlikeByLanesAndByEvents) {
  Network network = measured(1, 16);
  for (LinkClass& one : network.classes) one.send_overhead = one.receive_overhead = SizeFunction({{0, 0}, {1, 0}});
  for (const bool crowded : {false, true}) {
    if (crowded) network.classes[0].gap_factors = {{1, 1}, {4, 0.7}};
    const Placement placement = place_ranks(network, PlacementRule::block, 1);
    const Topology topology = topology_of(network, placement);
    const Plan plan = parse_plan(Collective::broadcast, "k-ary:degree=5,segment=3000");
    const Problem problem{.count = 20000};
    const ProgramSource programs = source(plan, topology, problem);
    RouteTable routes(network);
    const std::optional<Replay> lanes = replay_lanes({placement, network.transport, routes, 1, programs});
    ASSERT_TRUE(lanes.has_value());
    CompiledSchedule schedule = compile(16, 1, network.transport, programs, OpIndices::none);
    RouteTable others(network);
    EXPECT_EQ(lanes->rank_end_s, replay_events({placement, network.transport, schedule, others}, false).rank_end_s);
  }
}

}  // namespace
}  // namespace isthmus
