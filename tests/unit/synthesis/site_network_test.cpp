// Sites, shared links and rates of hosts that a packing sees.
#include "algorithms/synthesis/site_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithms/errors.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PlacedNetwork placed(const Network& network, int ranks_per_host = 1) {
  return {network, place_ranks(network, PlacementRule::block, ranks_per_host)};
}

/// Two sites whose hosts share an exit and an entrance of 3e6; a relay link joins both directions.
Network shared_exits() {
  Network network = tests::das(3, 2);
  const auto add_link = [&](const char* name, double bandwidth_Bps) {
    network.links.push_back({name, bandwidth_Bps, 1e-3, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  const int exit = add_link("exit", 3e6), both = add_link("both", 5e6);
  network.trunks[{0, 1}].links = {exit, both};
  network.trunks[{0, 2}].links = {exit};
  network.trunks[{1, 0}].links = {both};
  return network;
}

TEST(SiteNetwork, SitesAreTheOutermostGroupsAndTheirRatesThoseOfTheirHosts) {
  const SiteNetwork sites(placed(tests::das(4, 3)));
  ASSERT_EQ(sites.size(), 4);
  EXPECT_EQ(sites.site(1).name, "c1");
  EXPECT_THAT(sites.site(1).ranks, ElementsAre(3, 4, 5));
  EXPECT_EQ(sites.site(1).hosts, 3);
  EXPECT_DOUBLE_EQ(sites.site(1).out_Bps, 150e6);
  EXPECT_DOUBLE_EQ(sites.in_Bps(4), 50e6);
  EXPECT_EQ(sites.site_of(7), 2);
  EXPECT_EQ(sites.shared_links().size(), 12U);
  EXPECT_EQ(sites.edge(0, 1).shared.size(), 1U);
  EXPECT_FALSE(sites.edge(2, 2).exists);
}

TEST(SiteNetwork, SeveralRanksOfAHostShareItsLinks) {
  const SiteNetwork sites(placed(tests::das(2, 2), 3));
  EXPECT_EQ(sites.site(0).ranks.size(), 6U);
  EXPECT_EQ(sites.site(0).hosts, 2);
  EXPECT_DOUBLE_EQ(sites.site(0).out_Bps, 100e6);
}

TEST(SiteNetwork, EveryRankIsASiteInAFlatNetwork) {
  const SiteNetwork sites(placed(tests::star(5, 1e-3, 1e6)));
  EXPECT_EQ(sites.size(), 5);
  EXPECT_EQ(sites.site(3).name, "rank 3");
  EXPECT_TRUE(sites.shared_links().empty());
  EXPECT_DOUBLE_EQ(sites.site(3).out_Bps, 1e6);
}

TEST(SiteNetwork, LinksOfSeveralRoutesAreOneRow) {
  const Network network = shared_exits();
  const SiteNetwork sites(placed(network));
  const auto name = [&](int shared) { return network.links[sites.shared_links()[shared]].name; };
  ASSERT_EQ(sites.edge(0, 1).shared.size(), 2U);
  EXPECT_EQ(name(sites.edge(0, 1).shared[0]), "exit");
  EXPECT_EQ(sites.edge(0, 2).shared, std::vector<int>{sites.edge(0, 1).shared[0]});
  EXPECT_EQ(sites.edge(1, 0).shared, std::vector<int>{sites.edge(0, 1).shared[1]});
}

TEST(SiteNetwork, FatpipesLimitMessagesAndNoSum) {
  Network network = shared_exits();
  for (Link& link : network.links)
    if (link.name == "exit") link.sharing = Sharing::fatpipe;
  const SiteNetwork sites(placed(network));
  EXPECT_EQ(sites.edge(0, 1).shared.size(), 1U);
  EXPECT_TRUE(sites.edge(0, 2).shared.empty());
  EXPECT_NEAR(occupation_s(network, sites.edge(0, 2).links, 3e6), 1, 1e-3);
}

TEST(SiteNetwork, LinksThatOnlyOneHostUsesBelongToItsHost) {
  // Two machines of a site, each with an exit of its own, and one exit of the site behind them.
  Network network = tests::das(2, 2);
  const auto add_link = [&](const char* name, double bandwidth_Bps) {
    network.links.push_back({name, bandwidth_Bps, 1e-3, Sharing::shared});
    return static_cast<int>(network.links.size()) - 1;
  };
  const int first = add_link("first", 2e6), second = add_link("second", 4e6), wan = network.trunks[{0, 1}].links[0];
  network.hosts[1].endpoint = 2;
  network.trunks[{0, 1}].links = {first, wan};
  network.trunks[{2, 1}].links = {second, wan};
  network.trunks[{0, 2}].links = {};
  network.trunks[{2, 0}].links = {};
  network.trunks[{1, 2}] = network.trunks[{1, 0}];
  const SiteNetwork sites(placed(network));
  ASSERT_EQ(sites.edge(0, 1).shared.size(), 1U);
  EXPECT_EQ(sites.shared_links()[sites.edge(0, 1).shared[0]], wan);
  EXPECT_DOUBLE_EQ(sites.out_Bps(0), 2e6);
  EXPECT_DOUBLE_EQ(sites.out_Bps(1), 4e6);
  EXPECT_DOUBLE_EQ(sites.site(0).out_Bps, 6e6);
}

TEST(SiteNetwork, RoutesThatAreMissingOrDeadAreNoEdges) {
  Network network = tests::das(3, 1);
  network.trunks.erase({0, 1});
  network.links[network.trunks[{1, 2}].links[0]].bandwidth_Bps = 0;
  const SiteNetwork sites(placed(network));
  EXPECT_FALSE(sites.edge(0, 1).exists);
  EXPECT_FALSE(sites.edge(1, 2).exists);
  EXPECT_TRUE(sites.edge(1, 0).exists);
}

TEST(SiteNetwork, AMessageTakesWhatTheReplaySays) {
  Network network = tests::das(2, 1);
  const SiteNetwork sites(placed(network));
  EXPECT_NEAR(message_s(network, sites.edge(0, 1).links, 1e6), 0.01002 + 1.0001, 1e-9);
  network.classes.push_back({.name = "wan",
                             .gap = SizeFunction::linear(1e-3, 2e-6),
                             .send_overhead = SizeFunction::linear(1e-6, 0),
                             .receive_overhead = SizeFunction::linear(1e-6, 0)});
  for (const int link : sites.edge(0, 1).links) network.links[link].link_class = 0;
  EXPECT_NEAR(message_s(network, sites.edge(0, 1).links, 1e6), 0.01002 + 2.001, 1e-9);
}

TEST(SiteNetwork, RefusesASingleSite) {
  Network network = tests::star(3, 1e-3, 1e6);
  for (Host& host : network.hosts) host.zones = {{"site", "all"}};
  try {
    const SiteNetwork sites(placed(network));
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("one site"));
  }
}

}  // namespace
}  // namespace isthmus
