// The plan of the emulated network: what becomes of links and routes, and what is refused.
#include "emulator/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "algorithms/errors.hpp"
#include "emulator/footprint.hpp"
#include "tests/emulator/networks.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;
using testing::Not;

EmulationPlan plan_of(const Network& network, const PlanOptions& options = {}) {
  return plan_emulation(network, place(network, PlacementRule::block, 1), options);
}

std::string refusal(const Network& network, int ranks_per_host = 1) {
  try {
    plan_emulation(network, place(network, PlacementRule::block, ranks_per_host));
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

int container_named(const EmulationPlan& plan, const std::string& name) {
  for (std::size_t i = 0; i < plan.containers.size(); ++i) {
    if (plan.containers[i].name == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no container " << name;
  return 0;
}

/// Follows the routes from a host to an address; the names of the containers on the way and the queues passed.
struct Way {
  std::vector<std::string> containers;
  std::vector<Queue> queues;
};

bool covers(const std::string& block, const std::string& address) {
  const auto number = [](const std::string& text) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    EXPECT_EQ(std::sscanf(text.c_str(), "%u.%u.%u.%u", &a, &b, &c, &d), 4);
    return a << 24 | b << 16 | c << 8 | d;
  };
  const int bits = std::stoi(block.substr(block.find('/') + 1));
  return number(block) >> (32 - bits) == number(address) >> (32 - bits);
}

Way way(const EmulationPlan& plan, int from, int to) {
  Way way;
  const std::string& address = plan.containers[to].address;
  for (int at = from; at != to && way.containers.size() < 100;) {
    std::string device;
    int longest = -1;
    for (const ContainerRoute& route : plan.containers[at].routes) {
      const int bits = std::stoi(route.destination.substr(route.destination.find('/') + 1));
      if (bits > longest && covers(route.destination, address)) {
        longest = bits;
        device = route.device;
      }
    }
    const int before = at;
    for (const Cable& cable : plan.cables) {
      for (const auto& [near, far] : {std::pair{&cable.a, &cable.b}, std::pair{&cable.b, &cable.a}}) {
        if (near->container != before || near->name != device || at != before) continue;
        if (near->queue.shapes()) way.queues.push_back(near->queue);
        at = far->container;
        way.containers.push_back(plan.containers[at].name);
      }
    }
    if (at == before) break;
  }
  return way;
}

/// A cluster of hosts without links of their own to a router, and all clusters behind one core: every cluster has an
/// uplink and a downlink that all its traffic shares.
Network hub(int clusters) {
  Network network;
  network.name = "hub";
  for (int c = 0; c < clusters; ++c) {
    for (const char* direction : {"up", "down"}) {
      network.links.push_back({fmt::format("{}-{}", direction, c), 1e6 * (c + 1), 1e-3 * (c + 1), Sharing::shared});
    }
    Host host;
    host.name = fmt::format("h{}", c);
    host.endpoint = c;
    network.hosts.push_back(host);
  }
  for (int a = 0; a < clusters; ++a) {
    for (int b = 0; b < clusters; ++b) {
      if (a != b) network.trunks[{a, b}].links = {2 * a, 2 * b + 1};
    }
  }
  return network;
}

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
  const EmulationPlan plan = plan_of(test::mesh({.clusters = 4, .hosts = 4}));
  EXPECT_EQ(plan.containers.size(), 16U + 4U);
  EXPECT_EQ(plan.cables.size(), 16U + 6U);
  EXPECT_EQ(plan.containers[5].name, "c1-1");
  EXPECT_EQ(plan.container_of_rank[5], 5);
  EXPECT_EQ(plan.containers[16].host, -1);
}

TEST(EmulationPlan, CrossesOneWideAreaLinkBetweenClusters) {
  const EmulationPlan plan = plan_of(test::mesh({.clusters = 4, .hosts = 4}));
  const Way across = way(plan, container_named(plan, "c0-1"), container_named(plan, "c3-2"));
  EXPECT_EQ(across.containers, (std::vector<std::string>{"router-0", "router-3", "c3-2"}));
  EXPECT_EQ(across.queues, (std::vector<Queue>{{10e-6, 50e6, false}, {10e-3, 1e6, false}, {10e-6, 50e6, true}}));
  const Way inside = way(plan, container_named(plan, "c0-1"), container_named(plan, "c0-2"));
  EXPECT_EQ(inside.containers, (std::vector<std::string>{"router-0", "c0-2"}));
}

TEST(EmulationPlan, TakesEveryRouteOverOneQueueForEachOfItsLinks) {
  const test::Mesh shape{.clusters = 4, .hosts = 3};
  const std::pair<const char*, Network> networks[] = {
      {"mesh", test::mesh(shape)},
      {"star", hub(5)},
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
    const EmulationPlan plan = plan_of(network);
    std::set<int> used;
    for (int from = 0; from < static_cast<int>(network.hosts.size()); ++from) {
      for (int to = 0; to < static_cast<int>(network.hosts.size()); ++to) {
        if (from == to) continue;
        const Way found = way(plan, from, to);
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
  const EmulationPlan plan = plan_of(hub(4));
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
  const EmulationPlan plan = plan_of(network);
  EXPECT_EQ(way(plan, 0, 1).queues[1], (Queue{40e-3, 5e5, false}));
  EXPECT_EQ(way(plan, 1, 0).queues[1], (Queue{10e-3, 1e6, false}));
}

TEST(EmulationPlan, ProbesEveryClassOfRoutesOnce) {
  EXPECT_EQ(plan_of(test::mesh({.clusters = 4, .hosts = 4})).probes.size(), 2U);
  EXPECT_EQ(plan_of(test::mesh({.clusters = 4, .hosts = 1})).probes.size(), 1U);
  EXPECT_EQ(plan_of(hub(3)).probes.size(), 3U);  // latency adds both ways, the slower rate counts: 3 pairs
}

TEST(EmulationPlan, LeavesHostLinksUnshapedOnRequest) {
  const EmulationPlan plan = plan_of(test::mesh({.clusters = 2, .hosts = 2}), {.shape_host_links = false});
  EXPECT_EQ(way(plan, 0, 2).queues, (std::vector<Queue>{{10e-3, 1e6, false}}));
  EXPECT_FALSE(plan.probes[0].shaped);  // inside the cluster
  EXPECT_TRUE(plan.probes[1].shaped);
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

TEST(EmulationPlan, BecomesCommandsOfIpAndTc) {
  const EmulationPlan plan = plan_of(test::mesh({.clusters = 2, .hosts = 1}));
  EXPECT_EQ(cable_commands(plan, {11, 12, 13, 14}),
            "link add name w0 netns 13 address 02:00:00:00:00:01 type veth peer name w1 netns 14 address "
            "02:00:00:00:00:02\n"
            "link add name eth0 netns 11 address 02:00:00:00:00:03 type veth peer name p0 netns 13 address "
            "02:00:00:00:00:04\n"
            "link add name eth0 netns 12 address 02:00:00:00:00:05 type veth peer name p1 netns 14 address "
            "02:00:00:00:00:06\n");
  EXPECT_EQ(
      address_commands(plan, 0),
      "link set lo up\n"
      "link set eth0 up txqueuelen 10000 gso_max_segs 1\n"
      "neigh add 169.254.0.1 lladdr 02:00:00:00:00:04 dev eth0 nud permanent\n"
      "addr add 10.0.0.5/8 dev eth0 noprefixroute\n"
      "route add 10.0.0.0/8 via 169.254.0.1 dev eth0 onlink initcwnd 3000 initrwnd 3000 quickack 1 rto_min 60s\n");
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
  const EmulationPlan plan = plan_of(test::mesh({.clusters = 2, .hosts = 1}), plan_options_of("delay-line"));
  ASSERT_EQ(plan.delay_line, 4);
  ASSERT_EQ(plan.delayed.size(), 2U);
  EXPECT_EQ(plan.delayed[0].queue, (Queue{10e-3, 1e6, false}));
  EXPECT_EQ(queue_commands(plan, 2), "");
  EXPECT_EQ(plan.most_segments, 1);
  // Each router sees the other's hardware address behind its cable, as if there were nothing between them.
  EXPECT_THAT(address_commands(plan, 2), HasSubstr("neigh add 169.254.0.1 lladdr 02:00:00:00:00:02 dev w0"));
  EXPECT_THAT(address_commands(plan, 3), HasSubstr("neigh add 169.254.0.1 lladdr 02:00:00:00:00:01 dev w1"));
  EXPECT_THAT(cable_commands(plan, {11, 12, 13, 14, 15}),
              HasSubstr("link add name w0 netns 13 address 02:00:00:00:00:01 type veth peer name d0 netns 15 address "
                        "02:00:00:00:00:02\n"
                        "link add name d1 netns 15 address 02:00:00:00:00:01 type veth peer name w1 netns 14 address "
                        "02:00:00:00:00:02\n"));
}

TEST(Conditions, BecomeChangesOfQueuesInTheOrderOfTime) {
  const Network network = test::mesh({.clusters = 3, .hosts = 1});
  Conditions conditions;
  conditions.links = {{"wan-c0-c1", {.loss = 0.01, .jitter_s = 1e-3, .queue_frames = 50}}, {"wan-c0-*", {.loss = 0.5}}};
  conditions.changes = {{5, "wan-c0-c2_UP", 0.1, {}}, {8, "wan-c0-c2_UP", 0, 20e-3}};
  const EmulationPlan plan = plan_of(network, {.conditions = conditions});
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

TEST(Conditions, KeepRoutesForLosslessLinksUnlessFramesMayBeLost) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});
  const auto routes = [&](const Conditions& conditions) {
    return route_settings(plan_of(network, {.conditions = conditions}));
  };
  Conditions conditions;
  EXPECT_EQ(routes(conditions), "initcwnd 3000 initrwnd 3000 quickack 1 rto_min 60s");
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
  const EmulationPlan plan = plan_of(network, {.conditions = conditions});
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
  const Placement placement = place(network, PlacementRule::block, 1);
  Conditions conditions;
  conditions.changes = {{1, "wan-c0-c7", 0, {}}};
  EXPECT_THROW(check_plan(network, placement, conditions), BadInput);
  conditions = {};
  conditions.traffic = {{.from = "c0-0", .to = "c9-9", .rate_Bps = 1}};
  EXPECT_THROW(check_plan(network, placement, conditions), BadInput);
}

TEST(EmulationPlan, IsReadable) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1});
  EXPECT_EQ(to_text(plan_of(network), network),
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

TEST(EmulationPlan, RefusesHostNamesThatAreNone) {
  for (const std::string name : {"a;reboot", "$(id)", "", "-x", "a b", "10.0.0.1", "localhost", "a\nb", "x_"}) {
    Network network = test::mesh({.clusters = 2, .hosts = 1});
    network.hosts[0].name = name;
    EXPECT_THAT(refusal(network), HasSubstr("cannot be emulated under this name")) << name;
    EXPECT_THAT(refusal(network), Not(HasSubstr("\n")));
  }
}

TEST(EmulationPlan, RefusesTwoHostsOfOneName) {
  Network network = test::mesh({.clusters = 2, .hosts = 1});
  network.hosts[1].name = "C0-0";
  EXPECT_THAT(refusal(network), HasSubstr("two hosts of this name"));
}

TEST(EmulationPlan, SendsBothDirectionsOfASharedLinkThroughOneQueue) {
  const EmulationPlan plan = plan_of(test::with_shared_wide_area(test::mesh({.clusters = 2, .hosts = 1})));
  const std::vector<std::string> there{"router-0", "router-2", "router-3", "router-1", "c1-0"};
  const std::vector<std::string> back{"router-1", "router-2", "router-3", "router-0", "c0-0"};
  EXPECT_EQ(way(plan, 0, 1).containers, there);
  EXPECT_EQ(way(plan, 1, 0).containers, back);
  EXPECT_EQ(queue_commands(plan, container_named(plan, "router-2")),
            "qdisc add dev w0 root handle 1: netem delay 10000us limit 100000\n"
            "qdisc add dev w0 parent 1:1 handle 3: prio bands 2 priomap 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
            "qdisc add dev w0 parent 3:2 handle 4: pfifo limit 100000\n"
            "filter add dev w0 parent 3: protocol ip u32 match u16 52 0xffff at 2 flowid 3:2\n"
            "qdisc add dev w0 parent 3:1 handle 2: netem rate 8364641bit limit 100000\n");
}

TEST(EmulationPlan, HoldsEachFlowOfAFatpipeToItsRateWhereThatIsTheSlowest) {
  Network network = test::mesh({.clusters = 2, .hosts = 2});
  network.links.back().sharing = Sharing::fatpipe;  // wan-c0-c1_DOWN
  const EmulationPlan plan = plan_of(network);
  EXPECT_TRUE(way(plan, 2, 0).queues[1].per_flow);
  EXPECT_FALSE(way(plan, 0, 2).queues[1].per_flow);
  EXPECT_THAT(queue_commands(plan, container_named(plan, "router-1")),
              HasSubstr("parent 1:1 handle 2: fq maxrate 8364641bit low_rate_threshold 34359738360bit"));
  network.links.back().bandwidth_Bps = 50e6;  // as the hosts' own links
  EXPECT_EQ(way(plan_of(network), 2, 0).queues[1], (Queue{.delay_s = 10e-3}));
  network.links.back().bandwidth_Bps = 1e6;
  EXPECT_THROW(plan_of(network, plan_options_of("delay-line")), BadInput);
  network.links.back().bandwidth_Bps = 5e9;
  for (Link& link : network.links) link.bandwidth_Bps = std::max(link.bandwidth_Bps, 6e9 - link.bandwidth_Bps);
  network.links.back().bandwidth_Bps = 5e9;
  EXPECT_THAT(refusal(network), HasSubstr("link `wan-c0-c1_DOWN`: FATPIPE, 5e+09 B/s for each flow"));
}

TEST(EmulationPlan, GivesSeveralRanksOnAHostItsLoopback) {
  Network network = test::mesh({.clusters = 2, .hosts = 1});
  const int loopback = static_cast<int>(network.links.size());
  network.links.push_back({"loopback", 1e8, 1e-6, Sharing::shared});
  for (Host& host : network.hosts) host.loopback = {loopback};
  EXPECT_FALSE(plan_of(network).containers[0].loopback.shapes());
  EXPECT_THAT(refusal(network, 2), HasSubstr("link `loopback`: one loopback of `c0-0` and `c1-0`"));
  network.hosts[1].loopback = {};
  const EmulationPlan plan = plan_emulation(network, place(network, PlacementRule::block, 2));
  EXPECT_EQ(plan.containers[0].loopback, (Queue{.delay_s = 1e-6, .payload_Bps = 1e8, .both_ways = true}));
  EXPECT_THAT(address_commands(plan, 0), HasSubstr("link set lo mtu 1500"));
  EXPECT_THAT(queue_commands(plan, 0), HasSubstr("dev lo root handle 1: netem delay 1us"));
  EXPECT_EQ(plan.probes.front().from, plan.probes.front().to);
}

TEST(EmulationPlan, WeighsHostsAsFastAsTheyAreWhereProcessorsTakeTime) {
  Network network = test::mesh({.clusters = 2, .hosts = 2});
  const double speeds[] = {4e9, 2e9, 1e9, 0};  // 0: not said
  for (int i = 0; i < 4; ++i) network.hosts[i].speed_flops = speeds[i];
  const EmulationPlan plan = plan_of(network, plan_options_of("delay-line"));
  EXPECT_EQ(plan.containers[0].niceness, 0);
  EXPECT_EQ(plan.containers[1].niceness, 3);  // 1.25 to the power of 3 is 1.95
  EXPECT_EQ(plan.containers[2].niceness, 6);
  EXPECT_EQ(plan.containers[3].niceness, 0);
  EXPECT_EQ(plan_of(network).containers[2].niceness, 0);
  network.hosts[2].speed_flops = 1e7;
  EXPECT_THROW(plan_of(network, plan_options_of("uml")), BadInput);
  EXPECT_NO_THROW(plan_of(network, plan_options_of("virtual")));
}

std::string refusal_for_room(const Room& room, double timeout_s) {
  Substrate substrate;
  substrate.own_kernel = true;
  const EmulationPlan plan = plan_of(test::mesh({.clusters = 4, .hosts = 16}));
  try {
    check_room(footprint(plan, substrate, 100), room, timeout_s);
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(EmulationPlan, SaysWhereALatencyIsRounded) {
  const Network network = test::mesh({.clusters = 2, .hosts = 1, .wan_latency_s = 10.0005e-3});
  const Placement placement{{0, 1}};
  EXPECT_THAT(to_text(plan_emulation(network, placement), network), testing::HasSubstr("10.0005 ms (held for 1000"));
  PlanOptions by_program = plan_options_of("delay-line");
  EXPECT_THAT(to_text(plan_emulation(network, placement, by_program), network),
              testing::Not(testing::HasSubstr("held for")));
}

TEST(Footprint, IsRefusedWithTheEstimateWhereThereIsNoRoom) {
  EXPECT_EQ(refusal_for_room({100000, 100000}, 600), "accepted");
  EXPECT_EQ(refusal_for_room({100000, 100000}, 0), "accepted");
  EXPECT_THAT(refusal_for_room({500, 100000}, 600),
              HasSubstr("this machine has 500 MiB left; fewer ranks, or --force"));
  EXPECT_THAT(refusal_for_room({100000, 50}, 600), HasSubstr("this machine has room for 50 processes"));
  EXPECT_THAT(refusal_for_room({100000, 100000}, 1), HasSubstr("all is to be done after 1 s"));
  EXPECT_GT(room_here().memory_MiB, 100);
  EXPECT_GT(room_here().processes, 100);
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

TEST(EmulationPlan, RefusesHostsWithoutARoute) {
  Network network = test::mesh({.clusters = 3, .hosts = 1});
  network.trunks.erase({2, 0});
  EXPECT_THAT(refusal(network), HasSubstr("no route from host `c2-0` to host `c0-0`"));
}

TEST(EmulationPlan, RefusesRoutesThatDependOnMoreThanTheDestination) {
  // Two ways out of the same place to the same destination: 0 and 1 share their uplink, then take different links to 2.
  Network network = hub(4);
  network.links.push_back({"detour", 1e6, 1e-3, Sharing::shared});
  const int detour = static_cast<int>(network.links.size()) - 1;
  network.trunks[{0, 2}].links = {0, 5};
  network.trunks[{1, 2}].links = {0, detour};
  EXPECT_THAT(refusal(network), HasSubstr("depend on more than where they lead"));
}

}  // namespace
}  // namespace isthmus
