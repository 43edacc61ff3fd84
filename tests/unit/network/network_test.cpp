#include "algorithms/network/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/errors.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two stars joined by a wide-area link each way; the second star's backbone is a link of its own, and its host d loops
// back.
Network two_stars() {
  Network network;
  network.name = "two-stars";
  network.links = {{"a_UP", 50e6, 10e-6},  {"a_DOWN", 50e6, 10e-6}, {"b_UP", 40e6, 20e-6}, {"b_DOWN", 40e6, 20e-6},
                   {"east", 1e6, 10e-3},   {"west", 2e6, 30e-3},    {"bone", 1e9, 1e-6},   {"d_UP", 10e6, 5e-6},
                   {"d_DOWN", 10e6, 5e-6}, {"d_loop", 3e9, 2e-7}};
  network.hosts = {{"a", 1e9, 1, false, {{"site", "A"}}, 0, {0}, {1}, {}},
                   {"b", 1e9, 1, false, {{"site", "A"}}, 0, {2}, {3}, {}},
                   {"d", 1e9, 1, false, {{"site", "D"}}, 1, {7}, {8}, {9}},
                   {"hermit", 1e9, 1, false, {}, 2, {}, {}, {}}};
  network.trunks[{0, 0}] = {};
  network.trunks[{0, 1}] = {{4, 6}};
  network.trunks[{1, 0}] = {{6, 5}};
  network.trunks[{1, 1}] = {{6}};
  return network;
}

TEST(RoutesOfANetwork, AddLatenciesAndKeepTheLeastBandwidth) {
  const Route route = two_stars().route(0, 2);
  EXPECT_THAT(route.links, ElementsAre(0, 4, 6, 8));
  EXPECT_DOUBLE_EQ(route.latency_s, 10e-6 + 10e-3 + 1e-6 + 5e-6);
  EXPECT_DOUBLE_EQ(route.bandwidth_Bps, 1e6);
}

TEST(RoutesOfANetwork, DependOnTheDirection) {
  const Route route = two_stars().route(2, 1);
  EXPECT_THAT(route.links, ElementsAre(7, 6, 5, 3));
  EXPECT_DOUBLE_EQ(route.bandwidth_Bps, 2e6);
}

TEST(RoutesOfANetwork, CrossTheHostsOwnLinksWithinAStar) {
  EXPECT_THAT(two_stars().route(0, 1).links, ElementsAre(0, 3));
}

TEST(RoutesOfANetwork, LeadFromAHostToItselfOverItsLoopbackOrAtNoCost) {
  const Network network = two_stars();
  EXPECT_THAT(network.route(2, 2).links, ElementsAre(9));
  const Route free = network.route(0, 0);
  EXPECT_THAT(free.links, IsEmpty());
  EXPECT_EQ(free.latency_s, 0);
  EXPECT_TRUE(std::isinf(free.bandwidth_Bps));
  EXPECT_TRUE(network.has_route(3, 3));
}

TEST(RoutesOfANetwork, AreMissedWithBothNames) {
  const Network network = two_stars();
  EXPECT_TRUE(network.has_route(0, 2));
  EXPECT_FALSE(network.has_route(0, 3));
  try {
    network.route(0, 3);
    ADD_FAILURE() << "there is no such route";
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("host a"), HasSubstr("host hermit"), HasSubstr("two-stars")));
  }
}

TEST(ConnectivityOfRanks, IsThatBetweenTheEndpointsThatTheyUse) {
  tests::Mesh mesh({1, 2, 1, 1, 2});
  mesh.join_all(1e6, 1e-3);
  const Placement some{{5, 1, 2, 4}};  // of sites 4, 1, 1 and 3
  EXPECT_TRUE(connectivity_of(mesh.network, some).complete());
  mesh.network.trunks.erase({0, 3});
  mesh.network.trunks.erase({4, 4});  // one of its hosts is used
  EXPECT_TRUE(connectivity_of(mesh.network, some).complete());
  Network lacking = mesh.network;
  lacking.trunks.erase({1, 1});
  EXPECT_FALSE(connectivity_of(lacking, some).complete());
  lacking = mesh.network;
  lacking.trunks.erase({3, 4});
  EXPECT_FALSE(connectivity_of(lacking, some).complete());
  EXPECT_FALSE(connectivity_of(mesh.network, {{0, 4}}).complete());
  EXPECT_TRUE(connectivity_of(mesh.network, {{6, 6}}).complete());
}

}  // namespace
}  // namespace isthmus
