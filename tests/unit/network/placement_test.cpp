#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "algorithms/network/network.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;

// Site A: a gateway, machine M with hosts 1, 2 and machine N with host 3; site B: hosts 4, 5; host 6 lies in no site.
Network uneven() {
  Network network;
  network.name = "uneven";
  const auto add = [&](const char* name, std::vector<ZoneStep> zones, bool gateway = false) {
    network.hosts.push_back({name, 1e9, 1, gateway, std::move(zones), 0, {}, {}, {}});
  };
  add("gate", {{"site", "A"}}, true);
  add("m1", {{"site", "A"}, {"machine", "M"}});
  add("m2", {{"site", "A"}, {"machine", "M"}});
  add("n3", {{"site", "A"}, {"machine", "N"}});
  add("b4", {{"site", "B"}});
  add("b5", {{"site", "B"}});
  add("solo", {});
  network.trunks[{0, 0}] = {};
  return network;
}

TEST(Placement, FillsHostsInTurnAndLeavesGatewaysAlone) {
  EXPECT_THAT(place_ranks(uneven(), PlacementRule::block, 2).host_of_rank,
              ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6));
  EXPECT_THAT(place_ranks(uneven(), PlacementRule::block, 2, 3).host_of_rank, ElementsAre(1, 1, 2));
}

TEST(Placement, DealsRanksRoundTheSitesFirstAndThenRoundTheMachines) {
  EXPECT_THAT(place_ranks(uneven(), PlacementRule::cyclic, 1).host_of_rank, ElementsAre(1, 4, 6, 3, 5, 2));
  EXPECT_THAT(place_ranks(uneven(), PlacementRule::cyclic, 2, 8).host_of_rank, ElementsAre(1, 4, 6, 3, 5, 2, 1, 4));
}

TEST(Placement, RefusesMoreRanksThanFit) {
  EXPECT_THROW(place_ranks(uneven(), PlacementRule::block, 2, 13), BadInput);
  EXPECT_NO_THROW(place_ranks(uneven(), PlacementRule::block, 2, 12));
  EXPECT_THROW(place_ranks(uneven(), PlacementRule::block, 0), BadInput);
  EXPECT_THROW(place_ranks(uneven(), PlacementRule::block, 1, -1), BadInput);
  EXPECT_THROW(place_ranks(uneven(), PlacementRule::block, 2000000000), BadInput);
}

TEST(Placement, RefusesANetworkOfGatewaysOnly) {
  Network network = uneven();
  for (Host& host : network.hosts) host.gateway = true;
  EXPECT_THROW(place_ranks(network, PlacementRule::block, 1), BadInput);
}

TEST(GroupsOfRanks, FollowTheZonesOfTheirHosts) {
  const Network network = uneven();
  const Topology topology = topology_of(network, place_ranks(network, PlacementRule::block, 1));
  EXPECT_EQ(topology.levels(), 2);
  EXPECT_THAT(topology.group(topology.innermost(0)).ranks, ElementsAre(0, 1));
  EXPECT_EQ(topology.group(topology.innermost(2)).name, "N");
  EXPECT_THAT(topology.group(topology.group_at(0, 1)).ranks, ElementsAre(0, 1, 2));
  EXPECT_THAT(topology.group(topology.innermost(3)).ranks, ElementsAre(3, 4));
  EXPECT_EQ(topology.innermost(5), 0);
}

TEST(GroupsOfRanks, HoldThoseOfOneHostTogether) {
  const Network network = uneven();
  const Topology topology = topology_of(network, place_ranks(network, PlacementRule::cyclic, 2, 8));
  EXPECT_EQ(topology.group(topology.innermost(0)).name, "m1");
  EXPECT_THAT(topology.group(topology.innermost(0)).ranks, ElementsAre(0, 6));
  EXPECT_EQ(topology.group(topology.innermost(3)).name, "N") << "a rank that is alone on its host needs no group";
}

}  // namespace
}  // namespace isthmus
