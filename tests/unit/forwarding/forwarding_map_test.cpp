// Which messages leave before their receive is posted, by the network behind the gateway.
#include "algorithms/forwarding/forwarding_map.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

/// Hosts 0 and 2, without a route between them, reach host 1 over links of these latencies and rates.
Network joined_by_one(double near_s, double far_s, double near_Bps, double far_Bps) {
  Network network;
  network.links = {{"near", near_Bps, near_s, Sharing::fatpipe}, {"far", far_Bps, far_s, Sharing::fatpipe}};
  for (int number = 0; number < 3; ++number) {
    Host host;
    host.name = "h" + std::to_string(number);
    host.endpoint = number;
    network.hosts.push_back(host);
  }
  network.trunks[{0, 1}] = network.trunks[{1, 0}] = {{0}};
  network.trunks[{1, 2}] = network.trunks[{2, 1}] = {{1}};
  return network;
}

ForwardingMap map_of(const Network& network) {
  ForwardingMap map;
  for (const Host& host : network.hosts) map.hosts.push_back({.name = host.name, .addresses = {}});
  map.neighbours = {{1}, {0, 2}, {1}};
  return map;
}

TEST(EagerBytes, AreWhatTheNetworkHoldsDuringARoundTripThroughTheGateway) {
  const Network network = joined_by_one(1e-3, 9e-3, 1e9, 1e7);
  const ForwardingMap map = map_of(network);
  EXPECT_EQ(eager_bytes_of(map, network, 0), 200000);
  EXPECT_EQ(eager_bytes_of(map, network, 2), 200000);
  EXPECT_EQ(eager_bytes_of(map, network, 1), usual_eager_bytes) << "the gateway has routes to both";
}

TEST(EagerBytes, StayWithinBounds) {
  const Network quick = joined_by_one(5e-6, 5e-6, 80e6, 110e6);
  EXPECT_EQ(eager_bytes_of(map_of(quick), quick, 0), usual_eager_bytes);
  const Network wide = joined_by_one(50e-3, 50e-3, 1e10, 1e10);
  EXPECT_EQ(eager_bytes_of(map_of(wide), wide, 0), most_eager_bytes);
}

TEST(EagerBytes, AreThoseOfTheFileWhereItHasThem) {
  const Network network = joined_by_one(1e-3, 9e-3, 1e9, 1e7);
  ForwardingMap map = map_of(network);
  map.hosts[0].eager_bytes = 16384;
  EXPECT_EQ(eager_bytes_of(map, network, 0), 16384);
  EXPECT_EQ(eager_bytes_of(map, network, 2), 200000);
}

}  // namespace
}  // namespace isthmus
