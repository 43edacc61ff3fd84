// The plan of the emulated network: its layout, its probes, and its description.
#include "emulator/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "emulator/plan/plan_json.hpp"
#include "emulator/substrates/substrate.hpp"
#include "tests/emulator/plans.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(EmulationPlan, ProbesEveryClassOfRoutesOnce) {
  EXPECT_EQ(test::plan_of(test::mesh({.clusters = 4, .hosts = 4})).probes.size(), 2U);
  EXPECT_EQ(test::plan_of(test::mesh({.clusters = 4, .hosts = 1})).probes.size(), 1U);
  EXPECT_EQ(test::plan_of(test::hub(3)).probes.size(), 3U);  // latency adds both ways, the slower rate counts: 3 pairs
}

TEST(EmulationPlan, HasRanksOnlyWhereTheyArePlaced) {
  const Network network = test::mesh({.clusters = 4, .hosts = 4});
  const EmulationPlan plan = plan_emulation(network, Placement{{14, 0, 14}});
  EXPECT_EQ(plan.containers.size(), 2U + 2U);
  EXPECT_EQ(plan.container_of_rank, (std::vector<int>{1, 0, 1}));
}

TEST(EmulationPlan, AsksForTheWireRateThatGivesThePayloadRate) {
  EXPECT_EQ(wire_rate_bps(1e6), 8364641);
  EXPECT_EQ(wire_rate_bps(0), 0);
}

TEST(EmulationPlan, ComesBackFromJson) {
  const Network network = test::mesh({.clusters = 2, .hosts = 2});
  const Placement placement = place_ranks(network, PlacementRule::block, 2);
  Conditions conditions;
  conditions.links = {{"wan-*", {.loss = 0.1, .jitter_s = 1e-3, .queue_frames = 7}}};
  conditions.tcp.congestion_control = "reno";
  for (const SubstrateKind& kind : substrate_kinds()) {
    const EmulationPlan plan = plan_emulation(network, placement, {kind.shaping, conditions});
    const auto back = nlohmann::json::parse(nlohmann::json(plan).dump()).get<EmulationPlan>();
    EXPECT_EQ(to_text(back, network), to_text(plan, network));
    EXPECT_EQ(nlohmann::json(back), nlohmann::json(plan));
    EXPECT_EQ(back.tcp, plan.tcp);
    EXPECT_FALSE(back.lossless);
  }
}

TEST(EmulationPlan, BecomesCommandsOfIpAndTc) {
  const EmulationPlan plan = test::plan_of(test::mesh({.clusters = 2, .hosts = 1}));
  EXPECT_EQ(cable_commands(plan, {11, 12, 13, 14}),
            "link add name w0 netns 13 address 02:00:00:00:00:01 type veth peer name w1 netns 14 address "
            "02:00:00:00:00:02\n"
            "link add name eth0 netns 11 address 02:00:00:00:00:03 type veth peer name p0 netns 13 address "
            "02:00:00:00:00:04\n"
            "link add name eth0 netns 12 address 02:00:00:00:00:05 type veth peer name p1 netns 14 address "
            "02:00:00:00:00:06\n");
  EXPECT_EQ(address_commands(plan, 0),
            "link set lo up\n"
            "link set eth0 up txqueuelen 10000 gso_max_segs 1\n"
            "neigh add 169.254.0.1 lladdr 02:00:00:00:00:04 dev eth0 nud permanent\n"
            "addr add 10.0.0.5/8 dev eth0 noprefixroute\n"
            "route add 10.0.0.0/8 via 169.254.0.1 dev eth0 onlink initcwnd 20000 initrwnd 20000 rto_min 60s\n");
  EXPECT_THAT(address_commands(plan, 2), HasSubstr("route add 10.0.0.8/30 via 169.254.0.1 dev w0 onlink\n"));
  EXPECT_THAT(address_commands(plan, 2), Not(HasSubstr("addr add")));
  EXPECT_EQ(queue_commands(plan, 0),
            "qdisc add dev eth0 root handle 1: netem delay 10us rate 418232044bit limit 100000\n");
  EXPECT_EQ(queue_commands(plan, 2),
            "qdisc add dev w0 root handle 1: netem delay 10000us rate 8364641bit limit 100000\n"
            "qdisc add dev p0 root handle 1: netem delay 10us limit 100000\n"
            "qdisc add dev p0 parent 1:1 handle 2: tbf rate 418232044bit burst 1642 limit 151400000\n");
}

TEST(EmulationPlan, LeadsShapedCablesThroughTheDelayLine) {
  const EmulationPlan plan =
      test::plan_of(test::mesh({.clusters = 2, .hosts = 1}), {substrate_kind("delay-line").shaping, {}});
  ASSERT_EQ(plan.delay_line, 4);
  ASSERT_EQ(plan.delayed.size(), 2U);
  EXPECT_EQ(plan.delayed[0].queue, (Queue{10e-3, 1e6, false}));
  EXPECT_EQ(queue_commands(plan, 2), "");
  EXPECT_EQ(plan.max_segments, 1);
  // Each router sees the other's hardware address behind its cable, as if there were nothing between them.
  EXPECT_THAT(address_commands(plan, 2), HasSubstr("neigh add 169.254.0.1 lladdr 02:00:00:00:00:02 dev w0"));
  EXPECT_THAT(address_commands(plan, 3), HasSubstr("neigh add 169.254.0.1 lladdr 02:00:00:00:00:01 dev w1"));
  EXPECT_THAT(cable_commands(plan, {11, 12, 13, 14, 15}),
              HasSubstr("link add name w0 netns 13 address 02:00:00:00:00:01 type veth peer name d0 netns 15 address "
                        "02:00:00:00:00:02\n"
                        "link add name d1 netns 15 address 02:00:00:00:00:01 type veth peer name w1 netns 14 address "
                        "02:00:00:00:00:02\n"));
}

TEST(EmulationPlan, IsReadable) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});
  EXPECT_EQ(to_text(test::plan_of(network), network),
            "containers: 4\n"
            "  c0-0  10.0.0.5  1 rank  to 10.0.0.0/8 by eth0\n"
            "  c1-0  10.0.0.9  1 rank  to 10.0.0.0/8 by eth0\n"
            "  router-0  to 10.0.0.5/32 by p0, 10.0.0.8/30 by w0\n"
            "  router-1  to 10.0.0.4/30 by w1, 10.0.0.9/32 by p1\n"
            "cables: 3\n"
            "  router-0:w0 02:00:00:00:00:01 - router-1:w1 02:00:00:00:00:02\n"
            "  c0-0:eth0 02:00:00:00:00:03 - router-0:p0 02:00:00:00:00:04\n"
            "  c1-0:eth0 02:00:00:00:00:05 - router-1:p1 02:00:00:00:00:06\n"
            "queues: 6\n"
            "  router-0:w0 -> router-1:w1  10 ms, 1 MB/s of payload (8364641 bit/s of frames)  wan-c0-c1_UP\n"
            "  router-1:w1 -> router-0:w0  10 ms, 1 MB/s of payload (8364641 bit/s of frames)  wan-c0-c1_DOWN\n"
            "  c0-0:eth0 -> router-0:p0  0.01 ms, 50 MB/s of payload (418232044 bit/s of frames)  c0-0_UP\n"
            "  router-0:p0 -> c0-0:eth0  0.01 ms, 50 MB/s of payload (418232044 bit/s of frames), cut-through  "
            "c0-0_DOWN\n"
            "  c1-0:eth0 -> router-1:p1  0.01 ms, 50 MB/s of payload (418232044 bit/s of frames)  c1-0_UP\n"
            "  router-1:p1 -> c1-0:eth0  0.01 ms, 50 MB/s of payload (418232044 bit/s of frames), cut-through  "
            "c1-0_DOWN\n"
            "probes: 1\n"
            "  c0-0 -> c1-0  10.02 ms, 1 MB/s\n");
}

TEST(EmulationPlan, GivesSeveralRanksOnAHostItsLoopback) {
  Network network = test::mesh({.clusters = 2, .hosts = 1});
  const int loopback = static_cast<int>(network.links.size());
  network.links.push_back({"loopback", 1e8, 1e-6, Sharing::shared});
  for (Host& host : network.hosts) host.loopback = {loopback};
  EXPECT_FALSE(test::plan_of(network).containers[0].loopback.shapes());
  EXPECT_THAT(test::refusal(network, 2), HasSubstr("link `loopback`: one loopback of `c0-0` and `c1-0`"));
  network.hosts[1].loopback = {};
  const EmulationPlan plan = plan_emulation(network, place_ranks(network, PlacementRule::block, 2));
  EXPECT_EQ(plan.containers[0].loopback, (Queue{.delay_s = 1e-6, .payload_Bps = 1e8, .both_ways = true}));
  EXPECT_THAT(address_commands(plan, 0), HasSubstr("link set lo mtu 1500"));
  EXPECT_THAT(queue_commands(plan, 0), HasSubstr("dev lo root handle 1: netem delay 1us"));
  EXPECT_EQ(plan.probes.front().from, plan.probes.front().to);
}

TEST(EmulationPlan, WeighsHostsAsFastAsTheyAreWhereProcessorsTakeTime) {
  Network network = test::mesh({.clusters = 2, .hosts = 2});
  const double speeds[] = {4e9, 2e9, 1e9, 0};  // 0: not said
  for (int i = 0; i < 4; ++i) network.hosts[i].speed_flops = speeds[i];
  const EmulationPlan plan = test::plan_of(network, {substrate_kind("delay-line").shaping, {}});
  EXPECT_EQ(plan.containers[0].niceness, 0);
  EXPECT_EQ(plan.containers[1].niceness, 3);  // 1.25 to the power of 3 is 1.95
  EXPECT_EQ(plan.containers[2].niceness, 6);
  EXPECT_EQ(plan.containers[3].niceness, 0);
  EXPECT_EQ(test::plan_of(network).containers[2].niceness, 0);
  network.hosts[2].speed_flops = 1e7;
  EXPECT_THROW(test::plan_of(network, {substrate_kind("uml").shaping, {}}), BadInput);
  EXPECT_NO_THROW(test::plan_of(network, {substrate_kind("virtual").shaping, {}}));
}

TEST(EmulationPlan, SaysWhereALatencyIsRounded) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1, .wan_latency_s = 10.0005e-3});
  const Placement placement{{0, 1}};
  EXPECT_THAT(to_text(plan_emulation(network, placement), network), testing::HasSubstr("10.0005 ms (held for 1000"));
  PlanOptions by_program{substrate_kind("delay-line").shaping, {}};
  EXPECT_THAT(to_text(plan_emulation(network, placement, by_program), network),
              testing::Not(testing::HasSubstr("held for")));
}

}  // namespace
}  // namespace isthmus
