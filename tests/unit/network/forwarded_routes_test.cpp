#include "algorithms/network/forwarded_routes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "algorithms/errors.hpp"
#include "algorithms/network/network_json.hpp"
#include "algorithms/network/placed_network.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Clusters c0, c1 ... of which only neighbours in the row have routes to each other.
Network row(int clusters, int hosts) {
  Network network = tests::grid({.clusters = clusters, .hosts = hosts, .header_bytes = 0});
  std::erase_if(network.trunks, [](const auto& trunk) { return std::abs(trunk.first.first - trunk.first.second) > 1; });
  return network;
}

std::vector<std::string> names_of(const Network& network, const std::vector<int>& links) {
  std::vector<std::string> names;
  for (const int link : links) names.push_back(network.links[link].name);
  return names;
}

TEST(AForwardedRoute, LeadsOverTheLinksOfAllHopsAndThoseOfTheHostBetween) {
  const Network platform = row(3, 1);
  const Placement ends{{0, 2}};
  const Network network = with_forwarded_routes(platform, ends);
  EXPECT_THAT(names_of(network, network.route(0, 2).links),
              ElementsAre("c0-0_UP", "wan0-1", "c1-0_DOWN", "c1-0_UP", "wan1-2", "c2-0_DOWN"));
  EXPECT_THAT(network.trunks.at({0, 2}).forwarders, ElementsAre(1));
  EXPECT_TRUE(network.trunks.at({0, 2}).other_ways.empty());
  EXPECT_THAT(with_forwarders(network, ends).host_of_rank, ElementsAre(0, 2, 1));
  EXPECT_TRUE(has_forwarded_routes(network));
  EXPECT_FALSE(has_forwarded_routes(without_forwarded_routes(network)));
  EXPECT_EQ(to_json(network), to_json(platform)) << "a network's file has the routes of the platform alone";
}

TEST(AForwardedRoute, MayLeadOverSeveralHosts) {
  const Network network = with_forwarded_routes(row(4, 1), {{0, 3}});
  EXPECT_THAT(network.trunks.at({0, 3}).forwarders, ElementsAre(1, 2));
  EXPECT_EQ(network.route(3, 0).links.size(), 2U + 3U + 4U);
}

TEST(AForwardedRoute, HasAWayOverEachHostThatReachesBothEnds) {
  const Network network = with_forwarded_routes(row(3, 2), {{0, 1, 4, 5}});
  const Trunk& trunk = network.trunks.at({0, 2});
  EXPECT_THAT(trunk.forwarders, ElementsAre(2, 3));
  ASSERT_EQ(trunk.other_ways.size(), 1U);
  EXPECT_THAT(names_of(network, trunk.other_ways[0]), ElementsAre("wan0-1", "c1-1_DOWN", "c1-1_UP", "wan1-2"));
  EXPECT_TRUE(has_parallel_routes(network));
}

TEST(AForwardedRoute, LeadsOverTheNeighboursOfEachRankThoughRanksHaveTheSameRoutesToEachOther) {
  // Ranks on 0, 1 and 2: 0 and 1 have a route to each other, and 0 reaches 2 over 3 alone, 1 over 4 alone.
  Network platform = tests::grid({.clusters = 5, .hosts = 1, .header_bytes = 0});
  const std::set<std::pair<int, int>> routes = {{0, 1}, {0, 3}, {2, 3}, {1, 4}, {2, 4}};
  std::erase_if(platform.trunks, [&](const auto& trunk) {
    return trunk.first.first != trunk.first.second &&
           !routes.contains(std::minmax(trunk.first.first, trunk.first.second));
  });
  const Network network = with_forwarded_routes(platform, {{0, 1, 2}});
  EXPECT_THAT(network.trunks.at({0, 2}).forwarders, ElementsAre(3));
  EXPECT_THAT(network.trunks.at({1, 2}).forwarders, ElementsAre(4));
  EXPECT_THAT(network.trunks.at({2, 1}).forwarders, ElementsAre(4));
}

TEST(AForwardedPiece, IsLargerWhereAllLinksAreFast) {
  Network network = row(3, 1);
  const auto piece = [&](double slowest_Bps) {
    for (Link& link : network.links) link.bandwidth_Bps = 10e9;
    network.links.front().bandwidth_Bps = slowest_Bps;
    return forwarded_piece_bytes(network);
  };
  EXPECT_EQ(piece(1e6), 4096);
  EXPECT_EQ(piece(500e6), 20000);
  EXPECT_EQ(piece(10e9), 32768);
  network.links.front() = {.name = "switch", .bandwidth_Bps = 1e6, .sharing = Sharing::fatpipe};
  EXPECT_EQ(forwarded_piece_bytes(network), 32768) << "a fatpipe holds no message up";
}

TEST(AForwardedRoute, IsNotMadeWhereARankCanRelay) {
  const Network platform = row(3, 1);
  EXPECT_FALSE(has_forwarded_routes(with_forwarded_routes(platform, {{0, 1, 2}})));
  EXPECT_THAT(with_forwarders(platform, {{0, 1, 2}}).host_of_rank, ElementsAre(0, 1, 2));
}

TEST(AForwardedRoute, NeedsRoutesInBothDirections) {
  Network platform = row(3, 1);
  platform.trunks.erase({2, 1});
  EXPECT_FALSE(has_forwarded_routes(with_forwarded_routes(platform, {{0, 2}})));
}

TEST(AForwardedRoute, CountsAsARouteOfTheTopologyAndOfPlacedRanks) {
  const Network platform = row(3, 1);
  const Placement ends{{0, 2}};
  EXPECT_FALSE(connectivity_of(platform, ends).complete());
  EXPECT_TRUE(topology_of(platform, ends).connectivity().complete());
  const PlacedNetwork placed(platform, ends);
  EXPECT_TRUE(placed.network().has_route(0, 2));
  const PlacedNetwork all = placed.with_forwarders();
  EXPECT_THAT(all.placement().host_of_rank, ElementsAre(0, 2, 1));
  EXPECT_FALSE(all.network().has_route(0, 2));
  EXPECT_FALSE(all.topology().connectivity().complete());
  EXPECT_EQ(placed.digest(), PlacedNetwork(platform, Placement{{0, 1, 2}}).digest());
}

TEST(AForwardedRoute, BelongsToTheRanksOfASelection) {
  const PlacedNetwork everybody(row(3, 1), Placement{{0, 1, 2}});
  EXPECT_FALSE(has_forwarded_routes(everybody.network()));
  const PlacedNetwork ends = everybody.with_ranks(std::vector<int>{0, 2});
  EXPECT_TRUE(ends.network().has_route(0, 2));
  EXPECT_FALSE(has_forwarded_routes(ends.with_ranks(std::vector<int>{0}).network()));
}

TEST(Ranks, ThatNothingJoinsAreRefusedByName) {
  Network platform = row(3, 1);
  platform.trunks.erase({0, 1});
  platform.trunks.erase({1, 0});
  const Placement ends{{0, 2}};
  try {
    check_ranks_reach_each_other(platform, ends, topology_of(platform, ends).connectivity());
    FAIL() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("host c2-0 cannot be reached from host c0-0: there is no route, and no other "
                                        "hosts that could relay; a host with routes to both would be right"));
  }
}

}  // namespace
}  // namespace isthmus
