#include "algorithms/models/price.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/network/network_json.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

/// Four clusters of one host; what leaves cluster 0 costs 2 for 1e9 bytes on each link.
Network priced() {
  Network network = tests::das(4, 1);
  for (const int to : {1, 2, 3})
    for (const int link : network.trunks.at({network.hosts[0].endpoint, network.hosts[to].endpoint}).links)
      network.links[link].price_per_GB = 2;
  return network;
}

double price(const Network& network, const char* algorithm, const Problem& problem) {
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Plan plan = parse_plan(problem.collective, algorithm);
  return price_of(placed, census(placed.size(), source(plan, placed.topology(), problem), problem.element_bytes));
}

TEST(ThePriceOfACollective, IsThatOfItsMessagesOnEachLink) {
  const Network network = priced();
  const Problem broadcast{Collective::broadcast, 500'000'000, 1, 0};
  EXPECT_DOUBLE_EQ(price(network, "linear", broadcast), 3);
  EXPECT_DOUBLE_EQ(price(network, "chain", broadcast), 1);
  Problem from_elsewhere = broadcast;
  from_elsewhere.root = 2;
  EXPECT_DOUBLE_EQ(price(network, "linear", from_elsewhere), 0);
}

TEST(ThePriceOfACollective, IsNothingWhereLinksHaveNone) {
  EXPECT_FALSE(has_prices(tests::das(4, 1)));
  EXPECT_EQ(price(tests::das(4, 1), "linear", {Collective::broadcast, 1000, 1, 0}), 0);
  EXPECT_TRUE(has_prices(priced()));
}

TEST(ThePriceOfALink, IsKeptInJson) {
  const nlohmann::json once = to_json(priced());
  EXPECT_EQ(to_json(network_from_json(once)), once);
  EXPECT_TRUE(has_prices(network_from_json(once)));
  EXPECT_FALSE(to_json(tests::das(4, 1)).at("links").at(0).contains("price_per_GB"));
}

}  // namespace
}  // namespace isthmus
