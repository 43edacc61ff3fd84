// The effect of conditions on the plan of an emulated network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "emulator/plan/plan.hpp"
#include "tests/emulator/plans.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;

TEST(Conditions, BecomeChangesOfQueuesInTheOrderOfTime) {
  const Network network = test::mesh({.clusters = 3, .hosts = 1});
  Conditions conditions;
  conditions.links = {{"wan-c0-c1", {.loss = 0.01, .jitter_s = 1e-3, .queue_frames = 50}}, {"wan-c0-*", {.loss = 0.5}}};
  conditions.changes = {{5, "wan-c0-c2_UP", 0.1, {}}, {8, "wan-c0-c2_UP", 0, 20e-3}};
  const EmulationPlan plan = test::plan_of(network, {.conditions = conditions});
  EXPECT_FALSE(plan.lossless);
  EXPECT_THAT(address_commands(plan, 0), HasSubstr("dev eth0 onlink quickack 1\n"));
  const std::vector<QueueChange> changes = queue_changes(plan, network, conditions);
  ASSERT_EQ(changes.size(), 4U + 1U + 1U);  // both directions of two links, then one
  EXPECT_EQ(change_commands(changes[0].device, changes[0].queue),
            "qdisc change dev w0 root handle 1: netem delay 10000us 1000us loss 50.5% rate 8364641bit limit 50\n");
  EXPECT_EQ(changes[4].at_s, 5);
  EXPECT_DOUBLE_EQ(changes[4].queue.payload_Bps, 1e5);
  EXPECT_DOUBLE_EQ(changes[4].queue.impairment.loss, 0.5);
  EXPECT_EQ(changes[5].queue.impairment.loss, 1);
  EXPECT_EQ(changes[5].queue.delay_s, 20e-3);
  EXPECT_EQ(cut_links(network, conditions, 7.9), "");
  EXPECT_EQ(cut_links(network, conditions, 8), "link `wan-c0-c2_UP` has been cut since 8 s after the start");
}

TEST(Conditions, OfMoreJitterThanLatencyAreRefused) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});  // 10 ms
  Conditions conditions;
  conditions.links = {{"wan-*", {.jitter_s = 10e-3}}};
  EXPECT_NO_THROW(impairments_of(network, conditions));
  conditions.links.push_back({"wan-c0-c1_UP", {.jitter_s = 1e-3}});
  EXPECT_THAT(
      [&] { impairments_of(network, conditions); },
      ThrowsMessage<BadInput>(HasSubstr("link `wan-c0-c1_UP`: a jitter of 0.011 s; at most its latency, 0.01 s")));
  conditions.links.pop_back();
  conditions.changes = {{5, "wan-*", 1, 2e-3}};
  EXPECT_THAT([&] { impairments_of(network, conditions); }, ThrowsMessage<BadInput>(HasSubstr("latency, 0.002 s")));
}

TEST(Conditions, GiveTheNumberOfStreams) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});  // 10 ms, 1 MB/s
  const auto streams = [&](const Conditions& conditions) {
    return test::plan_of(network, {.conditions = conditions}).streams;
  };
  Conditions conditions;
  conditions.links = {{"wan-*", {.loss = 0.1}}};
  EXPECT_EQ(streams(conditions), 1);  // not asked for
  conditions.tcp.streams = 7;
  EXPECT_EQ(streams(conditions), 7);
  conditions.tcp.streams = automatic_streams;
  EXPECT_EQ(streams(conditions), 4);  // 3.87 frames of 1448 bytes each 20 ms: 280 kB/s
  conditions.links = {};
  EXPECT_EQ(streams(conditions), 1);
}

TEST(Conditions, KeepRoutesForLosslessLinksUnlessFramesMayBeLost) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});
  const auto routes = [&](const Conditions& conditions) {
    return route_settings(test::plan_of(network, {.conditions = conditions}));
  };
  Conditions conditions;
  EXPECT_EQ(routes(conditions), "initcwnd 20000 initrwnd 20000 rto_min 60s");
  conditions.tcp.initial_window_frames = 10;
  EXPECT_EQ(routes(conditions), "initcwnd 10 initrwnd 10 quickack 1 rto_min 60s");
  conditions = {};
  conditions.changes = {{1, "wan-*", 0.1, {}}};
  EXPECT_EQ(routes(conditions), routes({}));
  conditions.changes = {{1, "wan-*", 1, 1e-3}};  // later frames overtake
  EXPECT_EQ(routes(conditions), "quickack 1");
  conditions.changes = {{1, "wan-*", 0, {}}};
  EXPECT_EQ(routes(conditions), "quickack 1");
}

TEST(Conditions, StartEveryTimeFromTheUndisturbedLinks) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});
  Conditions conditions;
  conditions.changes = {{1, "wan-*", 0, {}}};
  const EmulationPlan plan = test::plan_of(network, {.conditions = conditions});
  const std::vector<QueueChange> changes = queue_changes(plan, network, conditions);
  ASSERT_EQ(changes.size(), 4U);
  for (int i : {0, 1}) {
    EXPECT_EQ(changes[i].at_s, before_start_s);
    EXPECT_EQ(changes[i].queue.impairment.loss, 0);
    EXPECT_EQ(changes[i + 2].at_s, 1);
    EXPECT_EQ(changes[i + 2].queue.impairment.loss, 1);
    EXPECT_EQ(changes[i].queue.payload_Bps, changes[i + 2].queue.payload_Bps);
  }
}

TEST(Conditions, GiveHostsWithTrafficAContainer) {
  const Network network = test::mesh({.clusters = 2, .hosts = 3});
  Conditions conditions;
  conditions.traffic = {{.from = "c0-2", .to = "c1-2", .rate_Bps = 1e5}};
  const EmulationPlan plan = plan_emulation(network, Placement{{0, 3}}, {.conditions = conditions});
  EXPECT_EQ(plan.containers.size(), 4U + 2U);
  EXPECT_EQ(plan.container_of_rank, (std::vector<int>{0, 2}));
}

TEST(Conditions, NameLinksAndHostsThatAreThere) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  Conditions conditions;
  conditions.changes = {{1, "wan-c0-c7", 0, {}}};
  EXPECT_THROW(plan_emulation(network, placement, {.conditions = conditions}), BadInput);
  conditions = {};
  conditions.links = {{"wan-c0-c7", {.loss = 0.1}}};
  EXPECT_THROW(plan_emulation(network, placement, {.conditions = conditions}), BadInput);
  conditions = {};
  conditions.traffic = {{.from = "c0-0", .to = "c9-9", .rate_Bps = 1}};
  EXPECT_THROW(plan_emulation(network, placement, {.conditions = conditions}), BadInput);
}

}  // namespace
}  // namespace isthmus
