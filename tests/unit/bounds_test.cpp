#include "algorithms/models/bounds.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/models/replay.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using testing::das;
using testing::star;

double bound(const Network& network, std::int64_t bytes, int root = 0, int ranks_per_host = 1) {
  return lower_bound(network, place(network, PlacementRule::block, ranks_per_host), {.count = bytes, .root = root});
}

TEST(LowerBound, ForeignClustersAreFedByAllTheirWideAreaLinks) {
  EXPECT_NEAR(bound(das(4, 16), 4194304), 4194304 / 3e6 + 10.020e-3, 1e-9);
  EXPECT_NEAR(bound(das(4, 1), 4194304), 4194304 / 3e6 + 10.020e-3, 1e-9);
  EXPECT_NEAR(bound(das(8, 8), 4194304, 13), 4194304 / 7e6 + 10.020e-3, 1e-9);
}

TEST(LowerBound, SmallMessagesAreBoundByDistance) { EXPECT_NEAR(bound(das(4, 16), 1), 10.020e-3, 1e-6); }

TEST(LowerBound, AStarIsBoundByTheHostsOwnLinks) { EXPECT_NEAR(bound(star(16, 1e-3, 1e6), 1000000), 1.001, 1e-9); }

TEST(LowerBound, RelaysCount) {
  // Hosts 0 and 2 have no route: what is between them is host 1, over two links that differ.
  Network network = star(3, 2e-3, 1e6);
  for (int host : {0, 1, 2}) network.hosts[host].endpoint = host;
  network.trunks.clear();
  network.trunks[{0, 1}] = network.trunks[{1, 2}] = {};
  network.links[network.hosts[1].up[0]].bandwidth_Bps = 5e5;
  EXPECT_NEAR(bound(network, 1000000), 2 * 2e-3 + 2, 1e-9);
}

TEST(LowerBound, FatpipeLinksBoundNothingButTheirLatency) {
  Network network = star(4, 1e-3, 1e6);
  for (Link& link : network.links) link.sharing = Sharing::fatpipe;
  EXPECT_NEAR(bound(network, 1000000), 1e-3, 1e-9);
}

TEST(LowerBound, NothingToDoTakesNoTime) {
  EXPECT_EQ(bound(das(4, 4), 0), 0);
  EXPECT_EQ(bound(star(1, 1e-3, 1e6), 1000), 0);
  EXPECT_EQ(bound(star(1, 1e-3, 1e6), 1000, 0, 4), 0);  // four ranks on one host without a loopback link
}

TEST(LowerBound, OneHostIsBoundByItsLoopback) {
  Network network = star(1, 1e-3, 1e6);
  network.links.push_back({"loopback", 1e6, 1e-6, Sharing::shared});
  network.hosts[0].loopback = {static_cast<int>(network.links.size()) - 1};
  EXPECT_NEAR(bound(network, 1000, 0, 4), 1e-3 + 1e-6, 1e-12);
}

TEST(LowerBound, BadRequestsAreNamed) {
  EXPECT_THROW(bound(das(4, 4), 10, 16), BadInput);
  EXPECT_THROW(bound(das(4, 4), 10, -1), BadInput);
  Network torn = das(2, 1);
  torn.trunks.erase({0, 1});
  EXPECT_THROW(bound(torn, 10), BadInput);
}

TEST(LowerBound, AThousandHostsAreQuick) {
  EXPECT_NEAR(bound(das(16, 64), 4194304), 4194304 / 15e6 + 10.020e-3, 1e-9);
  EXPECT_NEAR(bound(star(100000, 1e-3, 1e6), 1000), 2e-3, 1e-9);
}

class BoundOnRandomNetworks : public ::testing::TestWithParam<int> {};

TEST_P(BoundOnRandomNetworks, NoAlgorithmBeatsIt) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(1000 * static_cast<unsigned>(GetParam()) + seed);
    const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
    const auto factor = [&] { return std::exp(std::uniform_real_distribution<double>(-2, 2)(random)); };
    Network network = das(1 + below(4), 1 + below(5));
    network.transport.header_bytes = below(2) * 100;
    for (Link& link : network.links) {
      link.bandwidth_Bps *= factor();
      link.latency_s *= factor();
      if (below(4) == 0) link.sharing = Sharing::fatpipe;
    }
    for (int i = below(3); i > 0; --i) {  // routes that share wide-area links
      const auto from = std::next(network.trunks.begin(), below(static_cast<int>(network.trunks.size())));
      const auto to = std::next(network.trunks.begin(), below(static_cast<int>(network.trunks.size())));
      if (from->first.first != from->first.second) from->second.links = to->second.links;
    }
    const Placement placement = place(network, PlacementRule::block, 1 + below(2));
    const Topology topology = topology_of(network, placement);
    const Problem problem{.count = 1 + below(1 << 20), .root = below(placement.size())};
    const double bound_s = lower_bound(network, placement, problem);
    EXPECT_GE(bound_s, 0);
    for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
      Plan plan{algorithm, {}};
      if (algorithm->parameters.find("segment") != std::string_view::npos)
        plan.parameters.segment_bytes = 1 << (10 + below(10));
      const double seconds = replay(network, placement, 1, source(plan, topology, problem)).seconds;
      EXPECT_GE(seconds, bound_s * (1 - 1e-9)) << algorithm->id << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BoundOnRandomNetworks, ::testing::Range(0, 4));

}  // namespace
}  // namespace isthmus
