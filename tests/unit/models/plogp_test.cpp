#include "algorithms/models/plogp.hpp"

#include <gtest/gtest.h>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/models/kielmann.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;

TEST(PLogP, ARouteGivesItsLatencyAndTheGapOfItsSlowestLink) {
  const Network network = das(4, 16);
  const PLogP wan = plogp_of(network, 0, 16), lan = plogp_of(network, 0, 1);
  EXPECT_NEAR(wan.latency_s, 10.020e-3, 1e-15);
  EXPECT_NEAR(wan.gap(1e6), 1.0001, 1e-12);
  EXPECT_NEAR(lan.latency_s, 20e-6, 1e-18);
  EXPECT_NEAR(lan.gap(0), 2e-6, 1e-18);
  EXPECT_NEAR(lan.receive_time_s(4999900), 20e-6 + 0.1, 1e-12);
  EXPECT_EQ(lan.send_overhead(1e6), 0);
}

TEST(PLogP, TheGapCoversTheOverheads) {
  Network network = das(2, 2);
  network.transport.send_overhead_s = 5e-6;
  network.transport.receive_overhead_s = 1e-6;
  network.transport.receive_overhead_s_per_byte = 1e-7;
  const PLogP lan = plogp_of(network, 0, 1);
  for (double bytes : {0.0, 10.0, 40.0, 100.0, 1e4, 1e6}) {
    const double expected = std::max({(bytes + 100) / 50e6, 5e-6, 1e-6 + 1e-7 * bytes});
    EXPECT_NEAR(lan.gap(bytes), expected, 1e-12) << bytes;
    EXPECT_NEAR(lan.send_overhead(bytes), 5e-6, 1e-15);
    EXPECT_NEAR(lan.receive_overhead(bytes), 1e-6 + 1e-7 * bytes, 1e-12);
  }
}

TEST(PLogP, AMissingRouteIsNamed) {
  Network network = das(2, 1);
  network.trunks.erase({0, 1});
  EXPECT_THROW(plogp_of(network, 0, 1), BadInput);
}

TEST(TwoLayers, ClustersOfAGridAreItsSites) {
  const Network network = das(4, 16);
  const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
  EXPECT_EQ(layers.clusters, 4);
  EXPECT_EQ(layers.cluster_size, 16);
  EXPECT_NEAR(layers.wan.latency_s, 10.020e-3, 1e-15);
  EXPECT_NEAR(layers.lan.latency_s, 20e-6, 1e-18);
}

// One route has low latency and low bandwidth, the other both high: neither alone is the slowest at every size.
TEST(TwoLayers, AreAsSlowAsEveryRouteAtEverySize) {
  Network network = das(3, 2);
  for (Link& link : network.links) {
    if (link.latency_s < 1e-3) continue;
    const bool is_far = link.name.str().find('2') != std::string::npos;
    link.latency_s = is_far ? 50e-3 : 1e-3;
    link.bandwidth_Bps = is_far ? 1e9 : 1e5;
  }
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const TwoLayers layers = two_layers_of({network, placement});
  for (const double bytes : {1.0, 1e3, 1e6, 1e9}) {
    for (const int from : {0, 2, 4})
      for (const int to : {0, 2, 4})
        EXPECT_GE(layers.wan.receive_time_s(bytes), from == to ? 0 : plogp_of(network, from, to).receive_time_s(bytes));
    const Problem problem{.count = static_cast<std::int64_t>(bytes)};
    EXPECT_GE(pipelined_seconds(layers, problem.bytes(), 0, 2, 1), lower_bound({network, placement}, problem)) << bytes;
  }
}

TEST(TwoLayers, WithOneRankAClusterTheLanIsTheHostsOwnLinks) {
  const Network network = das(8, 1);
  const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
  EXPECT_EQ(layers.clusters, 8);
  EXPECT_EQ(layers.cluster_size, 1);
  EXPECT_NEAR(layers.lan.gap(1e6), 1000100 / 50e6, 1e-12);

  // The same when the hosts' own links stand in the trunks, as for hosts that share no star.
  Network spread = network;
  for (auto& [ends, trunk] : spread.trunks) {
    if (ends.first == ends.second) continue;
    trunk.links.insert(trunk.links.begin(), network.hosts[ends.first].up.front());
    trunk.links.push_back(network.hosts[ends.second].down.front());
  }
  for (Host& host : spread.hosts) {
    host.up = host.down = {};
  }
  const TwoLayers same = two_layers_of({spread, place_ranks(spread, PlacementRule::block, 1)});
  EXPECT_NEAR(same.lan.gap(1e6), 1000100 / 50e6, 1e-12);
  EXPECT_NEAR(same.wan.latency_s, layers.wan.latency_s, 1e-15);
}

TEST(TwoLayers, AFlatNetworkIsOneCluster) {
  const Network network = tests::star(5, 1e-3, 1e6);
  const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
  EXPECT_EQ(layers.clusters, 1);
  EXPECT_EQ(layers.cluster_size, 5);
  EXPECT_NEAR(layers.lan.latency_s, 1e-3, 1e-15);
  EXPECT_EQ(layers.wan.receive_time_s(1e6), 0);
}

TEST(TwoLayers, TheSlowestWideAreaRouteCounts) {
  Network network = das(3, 2);
  network.links[network.trunks[{2, 0}].links[0]].bandwidth_Bps = 1e5;
  const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
  EXPECT_NEAR(layers.wan.gap(1e5), 1.001, 1e-9);
}

TEST(TwoLayers, OneRankAloneCostsNothing) {
  const Network network = tests::star(1, 1e-3, 1e6);
  const TwoLayers layers = two_layers_of({network, place_ranks(network, PlacementRule::block, 1)});
  EXPECT_EQ(layers.clusters, 1);
  EXPECT_EQ(layers.cluster_size, 1);
}

}  // namespace
}  // namespace isthmus
