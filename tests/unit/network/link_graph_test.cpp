#include "algorithms/network/link_graph.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

using tests::Mesh;

TEST(LinkCut, CountsEachLinkFromItsOwnLatencyOn) {
  const LinkCut cut = {{{.bandwidth_Bps = 1, .latency_s = 1}, {.bandwidth_Bps = 2, .latency_s = 3}}};
  EXPECT_NEAR(cut.seconds(0), 1, 1e-12);
  EXPECT_NEAR(cut.seconds(2), 3, 1e-12);
  EXPECT_NEAR(cut.seconds(8), 5, 1e-12);  // 4 over the first, 2 times 2 over the second
  EXPECT_EQ(LinkCut{}.seconds(1), std::numeric_limits<double>::infinity());
}

/// One host a site with links so wide that only those between sites count: class number = site.
class CutOfAMesh : public ::testing::TestWithParam<unsigned> {};

TEST_P(CutOfAMesh, IsTheSlowestOfAllSets) {
  std::mt19937 random(GetParam());
  const int sites = 3 + static_cast<int>(GetParam() % 4);
  const Mesh mesh = tests::random_mesh(std::vector<int>(sites, 1), random, 1e15);
  const Network& network = mesh.network;
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const LinkGraph graph(placed);
  std::vector<std::vector<double>> distance_s;
  for (int site = 0; site < sites; ++site) {
    LinkGraph::Hosts from = graph.nobody();
    from[graph.class_of(site)] = 1;
    distance_s.push_back(graph.distances_s(from));
  }
  LinkGraph::Hosts source = graph.nobody(), target = graph.nobody();
  source[graph.class_of(0)] = 1;
  target[graph.class_of(sites - 1)] = 1;
  for (const double bytes : {100.0, 3e4, 1e5, 1e6, 1e8}) {
    double slowest_s = 0;
    for (unsigned set = 1; set < 1U << sites; set += 2) {  // with the source, without the target
      if ((set >> (sites - 1) & 1U) != 0) continue;
      LinkCut cut;
      for (const auto& [ends, trunk] : network.trunks) {
        const auto [from, to] = ends;
        if (from == to || (set >> from & 1U) == 0 || (set >> to & 1U) != 0) continue;
        const double to_it_s = from == 0 ? 0 : distance_s[0][from];
        const double onward_s = to == sites - 1 ? 0 : distance_s[to][sites - 1];
        const Link& link = network.links[trunk.links[0]];
        cut.pieces.push_back({.link = trunk.links[0],
                              .bandwidth_Bps = link.bandwidth_Bps,
                              .latency_s = to_it_s + 10e-6 + link.latency_s + 10e-6 + onward_s});
      }
      slowest_s = std::max(slowest_s, cut.seconds(bytes));
    }
    EXPECT_NEAR(graph.slowest_cut(source, target, bytes).seconds(bytes), slowest_s, 1e-9 * slowest_s) << bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CutOfAMesh, ::testing::Range(0U, 20U));

/// From site 0 to site 2 with 1 MB/s and 50 ms, or over site 1 with 10 ms twice.
Mesh with_a_relay(double to_relay_Bps, double from_relay_Bps) {
  Mesh mesh({1, 1, 1});
  mesh.join(0, 2, 1e6, 50e-3);
  mesh.join(0, 1, to_relay_Bps, 10e-3);
  mesh.join(1, 2, from_relay_Bps, 10e-3);
  return mesh;
}

TEST(LinkGraph, AQuickestFlowFillsTheQuickestWaysFirst) {
  const Mesh mesh = with_a_relay(3e6, 2e6);
  const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::block, 1));
  const LinkGraph graph(placed);
  LinkGraph::Hosts source = graph.nobody(), target = graph.nobody();
  source[graph.class_of(0)] = target[graph.class_of(2)] = 1;
  const double relayed_s = 20.04e-3, direct_s = 50.02e-3;
  EXPECT_NEAR(graph.quickest_flow(source, target, 2e4)->seconds, relayed_s + 10e-3, 1e-12);
  const auto both = graph.quickest_flow(source, target, 1e6);
  EXPECT_NEAR(both->seconds, (1e6 + 2e6 * relayed_s + 1e6 * direct_s) / 3e6, 1e-12);
  EXPECT_NEAR(both->cut.seconds(1e6), both->seconds, 1e-12);
}

TEST(LinkGraph, AQuickestFlowIsNoQuickerThanACut) {
  int later = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    const int sites = 3 + static_cast<int>(seed % 4);
    const Mesh mesh = tests::random_mesh(std::vector<int>(sites, 2), random);
    const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::block, 1));
    const LinkGraph graph(placed);
    LinkGraph::Hosts source = graph.nobody(), target = graph.nobody();
    source[graph.class_of(0)] = target[graph.class_of(2 * sites - 1)] = 1;
    for (const double bytes : {1e3, 1e5, 1e7}) {
      const auto flow = graph.quickest_flow(source, target, bytes);
      if (!flow || !flow->is_whole) continue;
      const double cut_s = graph.slowest_cut(source, target, bytes).seconds(bytes);
      EXPECT_GE(flow->seconds, cut_s * (1 - 1e-6));
      if (flow->seconds > cut_s * 1.001) ++later;
    }
  }
  EXPECT_GT(later, 3);
}

TEST(LinkGraph, TheQuickestWayMayTakeARelay) {
  const Mesh mesh = with_a_relay(1e6, 1e6);
  const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::block, 1));
  std::string names;
  for (const int link : LinkGraph(placed).quickest_way(0, 2)) names += mesh.network.links[link].name + " ";
  EXPECT_EQ(names, "s0-0_UP w0-1 w1-2 s2-0_DOWN ");
}

}  // namespace
}  // namespace isthmus
