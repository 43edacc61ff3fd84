// Refusals of hosts without a route to each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

std::string refusal(const Network& network, const std::vector<int>& hosts) {
  try {
    require_routes(network, hosts, "others");
  } catch (const BadInput& bad) {
    return bad.what();
  }
  return "";
}

TEST(RequiredRoutes, NameTwoHostsAndCountThePairs) {
  Network network = tests::das(3, 2);
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 5};
  EXPECT_EQ(refusal(network, all), "");
  network.trunks.erase({network.hosts[0].endpoint, network.hosts[4].endpoint});
  EXPECT_THAT(
      refusal(network, all),
      testing::HasSubstr("no route from host c0-0 to host c2-0, nor between 3 other pairs; others would be right"));
  EXPECT_EQ(refusal(network, {0, 1, 2, 3}), "");
  EXPECT_THAT(refusal(network, {0, 5}), testing::HasSubstr("no route from host c0-0 to host c2-1; others"));
}

TEST(RequiredRoutes, ARouteOverForwardersIsNone) {
  Network network = tests::das(2, 1);
  network.trunks.at({network.hosts[0].endpoint, network.hosts[1].endpoint}).forwarders = {1};
  EXPECT_THAT(refusal(network, {0, 1}), testing::HasSubstr("no route from host c0-0 to host c1-0; others"));
}

}  // namespace
}  // namespace isthmus
