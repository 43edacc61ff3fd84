// Which containers and queues a route leads through in the plan of an emulated network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "algorithms/errors.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/substrates/substrate.hpp"
#include "tests/emulator/plans.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;

int queues_of(const EmulationPlan& plan, int link) {
  int queues = 0;
  for (const Cable& cable : plan.cables) {
    for (const Device* device : {&cable.a, &cable.b}) {
      const bool carries = std::find(device->links.begin(), device->links.end(), link) != device->links.end();
      queues += carries && device->queue.shapes() ? 1 : 0;
    }
  }
  return queues;
}

TEST(EmulationPlan, GivesEveryHostAContainerAndEveryClusterARouter) {
  const EmulationPlan plan = test::plan_of(test::mesh({.clusters = 4, .hosts = 4}));
  EXPECT_EQ(plan.containers.size(), 16U + 4U);
  EXPECT_EQ(plan.cables.size(), 16U + 6U);
  EXPECT_EQ(plan.containers[5].name, "c1-1");
  EXPECT_EQ(plan.container_of_rank[5], 5);
  EXPECT_EQ(plan.containers[16].host, -1);
}

TEST(EmulationPlan, CrossesOneWideAreaLinkBetweenClusters) {
  const EmulationPlan plan = test::plan_of(test::mesh({.clusters = 4, .hosts = 4}));
  const test::TracedRoute across =
      test::traced_route(plan, test::container_named(plan, "c0-1"), test::container_named(plan, "c3-2"));
  EXPECT_EQ(across.containers, (std::vector<std::string>{"router-0", "router-3", "c3-2"}));
  EXPECT_EQ(across.queues, (std::vector<Queue>{{10e-6, 50e6, false}, {10e-3, 1e6, false}, {10e-6, 50e6, true}}));
  const test::TracedRoute inside =
      test::traced_route(plan, test::container_named(plan, "c0-1"), test::container_named(plan, "c0-2"));
  EXPECT_EQ(inside.containers, (std::vector<std::string>{"router-0", "c0-2"}));
}

TEST(EmulationPlan, HasNoRouteOverTheLinksWhereTheNetworkHasNone) {
  Network network = test::mesh({.clusters = 3, .hosts = 2});
  network.trunks.erase({0, 2});
  network.trunks.erase({2, 0});
  const EmulationPlan plan = test::plan_of(network);
  ASSERT_GE(plan.management, 0);
  const auto container = [&](const char* name) { return test::container_named(plan, name); };
  EXPECT_EQ(test::traced_route(plan, container("c0-1"), container("c2-0")).containers,
            (std::vector<std::string>{"management", "c2-0"}));
  EXPECT_EQ(test::traced_route(plan, container("c2-0"), container("c0-1")).containers,
            (std::vector<std::string>{"management", "c0-1"}));
  EXPECT_EQ(test::traced_route(plan, container("c0-1"), container("c0-0")).containers,
            (std::vector<std::string>{"router-0", "c0-0"}));
  EXPECT_EQ(test::traced_route(plan, container("c1-1"), container("c2-0")).queues.size(), 3);
  for (const ProbePair& probe : plan.probes) EXPECT_NE(probe.bandwidth_Bps, management_Bps);
  EXPECT_EQ(test::plan_of(test::mesh({.clusters = 3, .hosts = 2})).management, -1);
}

TEST(EmulationPlan, TakesEveryRouteOverOneQueueForEachOfItsLinks) {
  const test::Mesh shape{.clusters = 4, .hosts = 3};
  const std::pair<const char*, Network> networks[] = {
      {"mesh", test::mesh(shape)},
      {"star", test::hub(5)},
      {"line", test::row(5, false)},
      {"ring", test::row(5, true)},
      {"ring of shared links", test::with_shared_wide_area(test::row(6, true))},
      {"shared wide area", test::with_shared_wide_area(test::mesh(shape))},
      {"shared host links", test::with_shared_host_links(test::mesh(shape))},
      {"backbones", test::with_backbones(test::mesh(shape), Sharing::shared)},
      {"fat backbones", test::with_backbones(test::mesh(shape), Sharing::fatpipe)},
      {"everything shared",
       test::with_backbones(test::with_shared_host_links(test::with_shared_wide_area(test::row(4, false))),
                            Sharing::shared)}};
  for (const auto& [kind, network] : networks) {
    SCOPED_TRACE(kind);
    const EmulationPlan plan = test::plan_of(network);
    std::set<int> used;
    for (int from = 0; from < static_cast<int>(network.hosts.size()); ++from) {
      for (int to = 0; to < static_cast<int>(network.hosts.size()); ++to) {
        if (from == to) continue;
        const test::TracedRoute found = test::traced_route(plan, from, to);
        ASSERT_EQ(found.containers.back(), network.hosts[to].name);
        double latency_s = 0;
        double rate = 1e30;
        for (const Queue& queue : found.queues) {
          latency_s += queue.delay_s;
          if (queue.payload_Bps > 0) rate = std::min(rate, queue.payload_Bps);
        }
        const Route route = network.route(from, to);
        EXPECT_NEAR(latency_s, route.latency_s, 1e-12);
        EXPECT_DOUBLE_EQ(rate, route.bandwidth_Bps);
        used.insert(route.links.begin(), route.links.end());
      }
    }
    for (const int link : used) EXPECT_EQ(queues_of(plan, link), 1) << network.links[link].name;
  }
}

TEST(EmulationPlan, PutsALinkThatManyRoutesShareIntoOneQueue) {
  const EmulationPlan plan = test::plan_of(test::hub(4));
  int shaped = 0;
  for (const Cable& cable : plan.cables) {
    shaped += cable.a.queue.shapes() ? 1 : 0;
    shaped += cable.b.queue.shapes() ? 1 : 0;
  }
  EXPECT_EQ(shaped, 8);  // as many as links
}

TEST(EmulationPlan, MakesOneHopOfLinksThatAlwaysFollowEachOther) {
  Network network = test::mesh({.clusters = 2, .hosts = 1});
  network.links.push_back({"long", 5e5, 30e-3, Sharing::shared});
  network.trunks[{0, 1}].links.push_back(static_cast<int>(network.links.size()) - 1);
  const EmulationPlan plan = test::plan_of(network);
  EXPECT_EQ(test::traced_route(plan, 0, 1).queues[1], (Queue{40e-3, 5e5, false}));
  EXPECT_EQ(test::traced_route(plan, 1, 0).queues[1], (Queue{10e-3, 1e6, false}));
}

TEST(EmulationPlan, LeavesHostLinksUnshapedOnRequest) {
  const EmulationPlan plan =
      test::plan_of(test::mesh({.clusters = 2, .hosts = 2}), {.shaping = {.shape_host_links = false}});
  EXPECT_EQ(test::traced_route(plan, 0, 2).queues, (std::vector<Queue>{{10e-3, 1e6, false}}));
  EXPECT_FALSE(plan.probes[0].shaped);  // inside the cluster
  EXPECT_TRUE(plan.probes[1].shaped);
}

TEST(EmulationPlan, SendsBothDirectionsOfASharedLinkThroughOneQueue) {
  const EmulationPlan plan = test::plan_of(test::with_shared_wide_area(test::mesh({.clusters = 2, .hosts = 1})));
  const std::vector<std::string> there{"router-0", "router-2", "router-3", "router-1", "c1-0"};
  const std::vector<std::string> back{"router-1", "router-2", "router-3", "router-0", "c0-0"};
  EXPECT_EQ(test::traced_route(plan, 0, 1).containers, there);
  EXPECT_EQ(test::traced_route(plan, 1, 0).containers, back);
  EXPECT_EQ(queue_commands(plan, test::container_named(plan, "router-2")),
            "qdisc add dev w0 root handle 1: netem delay 10000us limit 100000\n"
            "qdisc add dev w0 parent 1:1 handle 3: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
            "qdisc add dev w0 parent 3:2 handle 4: pfifo limit 100000\n"
            "filter add dev w0 parent 3: protocol ip u32 match u16 52 0xffff at 2 flowid 3:2\n"
            "qdisc add dev w0 parent 3:1 handle 2: netem rate 8364641bit limit 100000\n");
}

TEST(EmulationPlan, HoldsEachFlowOfAFatpipeToItsRateWhereThatIsTheSlowest) {
  Network network = test::mesh({.clusters = 2, .hosts = 2});
  network.links.back().sharing = Sharing::fatpipe;  // wan-c0-c1_DOWN
  const EmulationPlan plan = test::plan_of(network);
  EXPECT_TRUE(test::traced_route(plan, 2, 0).queues[1].per_flow);
  EXPECT_FALSE(test::traced_route(plan, 0, 2).queues[1].per_flow);
  EXPECT_THAT(queue_commands(plan, test::container_named(plan, "router-1")),
              HasSubstr("parent 1:1 handle 2: fq maxrate 8364641bit low_rate_threshold 34359738360bit"));
  network.links.back().bandwidth_Bps = 50e6;  // as the hosts' own links
  EXPECT_EQ(test::traced_route(test::plan_of(network), 2, 0).queues[1], (Queue{.delay_s = 10e-3}));
  network.links.back().bandwidth_Bps = 1e6;
  EXPECT_THROW(test::plan_of(network, {substrate_kind("delay-line").shaping, {}}), BadInput);
  network.links.back().bandwidth_Bps = 5e9;
  for (Link& link : network.links) link.bandwidth_Bps = std::max(link.bandwidth_Bps, 6e9 - link.bandwidth_Bps);
  network.links.back().bandwidth_Bps = 5e9;
  EXPECT_THAT(test::refusal(network), HasSubstr("link `wan-c0-c1_DOWN`: FATPIPE, 5e+09 B/s for each flow"));
}

TEST(AddressBlocks, HoldTheirHostsAndNoOthers) {
  const std::vector<AddressBlock> blocks = address_blocks({1, 5, 2, 62, 1});
  std::uint64_t end = 10U << 24;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint64_t size = std::uint64_t{1} << (32 - blocks[i].prefix_bits);
    EXPECT_GE(size, std::vector<std::size_t>({1, 5, 2, 62, 1})[i] + 2);
    EXPECT_EQ(blocks[i].first % size, 0U);
    EXPECT_GE(blocks[i].first, end);
    end = blocks[i].first + size;
  }
  EXPECT_THROW(address_blocks({1 << 23, 1 << 20, 5}), BadInput);
}

}  // namespace
}  // namespace isthmus
