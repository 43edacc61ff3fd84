#include "algorithms/bounds/lower_bound.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;
using tests::star;

double bound(const Network& network, std::int64_t bytes, int root = 0, int ranks_per_host = 1) {
  return lower_bound({network, place_ranks(network, PlacementRule::block, ranks_per_host)},
                     {.count = bytes, .root = root});
}

/// What 1 MB/s links bring into a foreign cluster: one of them from the root's cluster, each other by way of a third
/// one.
double fed_s(int clusters, double bytes) {
  const int relays = clusters - 2;
  return (bytes / 1e6 + 10.020e-3 + relays * 20.040e-3) / (1 + relays);
}

TEST(LowerBound, ForeignClustersAreFedByAllTheirWideAreaLinks) {
  EXPECT_NEAR(bound(das(4, 16), 4194304), fed_s(4, 4194304), 1e-9);
  EXPECT_NEAR(bound(das(4, 1), 4194304), fed_s(4, 4194304), 1e-9);
  EXPECT_NEAR(bound(das(8, 8), 4194304, 13), fed_s(8, 4194304), 1e-9);
}

TEST(LowerBound, OneByteHasToSpread) {
  // 4 x 16: over one wide-area link, in a cluster a message (101 bytes, 50 MB/s) every 2.02 us, 20 us to be heard. 16
  // hosts have heard when the first has sent 10 messages, the second 5 (it began 10 us later, the sixth message) ...
  const double first_s = 10.020e-3;
  EXPECT_GT(bound(das(4, 16), 1), first_s + 40e-6);
  EXPECT_LT(bound(das(4, 16), 1), first_s + 101e-6);
}

TEST(LowerBound, AStarIsBoundByTheHostsOwnLinks) {
  EXPECT_NEAR(bound(star(2, 1e-3, 1e6), 1000000), 1.001, 1e-9);
  EXPECT_NEAR(bound(star(16, 1e-3, 1e6), 1000000), 1.001 + 14e-6, 1e-9);  // one byte, once outside, reaches 14 others
}

TEST(LowerBound, SaysThatNoLinkLimitsRoutesWithoutLinks) {
  Network network = star(4, 1e-3, 1e6);
  for (Host& host : network.hosts) host.up = host.down = {};
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 2));
  const LowerBound bound = find_lower_bound(placed, {.collective = Collective::allgather, .count = 1000});
  EXPECT_EQ(bound.seconds, 0);
  EXPECT_EQ(bound.kind, BoundKind::unlimited);
  EXPECT_EQ(find_lower_bound(placed, {.collective = Collective::allgather}).kind, BoundKind::nothing) << "of 0 bytes";
}

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
  EXPECT_NEAR(bound(das(16, 64), 4194304), fed_s(16, 4194304), 1e-9);
  EXPECT_NEAR(bound(star(100000, 1e-3, 1e6), 1000), 999e-6 + 2.445e-3, 1e-9);  // one byte later, to 100,000 hosts
}

double bound(const Network& network, Collective collective, std::int64_t bytes) {
  return lower_bound({network, place_ranks(network, PlacementRule::block, 1)},
                     {.collective = collective, .count = bytes});
}

TEST(LowerBound, EveryCollectiveIsBoundByWhatItsClustersHaveToExchange) {
  // Four clusters of four, 1 MB/s from each to each; a wide-area route has 10.02 ms.
  const Network network = das(4, 4);
  const double far_s = 10.020e-3, bytes = 1e6;
  const auto in_seconds = [&](Collective collective) { return bound(network, collective, 1000000); };
  EXPECT_NEAR(bound(network, Collective::barrier, 0), far_s + 59.333e-6, 1e-9);  // and three hosts beside the first
  EXPECT_NEAR(in_seconds(Collective::reduce), fed_s(4, bytes), 1e-9);
  EXPECT_NEAR(in_seconds(Collective::allreduce), far_s + 2 * 3 * bytes / 12e6, 1e-9);
  // The second and fourth cluster need the sum of the first, and that of the first three: two vectors over four lines.
  EXPECT_NEAR(in_seconds(Collective::scan), far_s + 2 * bytes / 4e6, 1e-9);
  EXPECT_NEAR(in_seconds(Collective::exscan), far_s + 2 * bytes / 4e6, 1e-9);
  EXPECT_NEAR(in_seconds(Collective::gather), far_s + 12 * bytes / 3e6, 1e-9);
  EXPECT_NEAR(in_seconds(Collective::scatter), far_s + 12 * bytes / 3e6, 1e-9);
  EXPECT_NEAR(in_seconds(Collective::allgather), far_s + 12 * bytes / 3e6, 1e-9);
  EXPECT_NEAR(in_seconds(Collective::reduce_scatter_block), far_s + 3 * 16 * bytes / 12e6, 1e-9);
  EXPECT_NEAR(in_seconds(Collective::alltoall), far_s + 4 * 12 * bytes / 3e6, 1e-9);
}

TEST(LowerBound, OneClusterIsBoundByTheLinksOfItsHosts) {
  const Network network = star(8, 1e-3, 1e6);
  EXPECT_NEAR(bound(network, Collective::allgather, 1000), 1e-3 + 7e-3, 1e-9);
  EXPECT_NEAR(bound(network, Collective::alltoall, 1000), 1e-3 + 7e-3, 1e-9);
  EXPECT_NEAR(bound(network, Collective::gather, 1000), 1e-3 + 7e-3, 1e-9);
  EXPECT_NEAR(bound(network, Collective::allreduce, 8000), 1e-3 + 14e-3, 1e-9);
}

TEST(LowerBound, BlocksOfDifferentSizesCountAsWhatTheyAre) {
  const Network network = star(3, 1e-3, 1e6);
  const Problem problem{.collective = Collective::gatherv, .root = 0, .counts = {5000, 1000, 0}};
  EXPECT_NEAR(lower_bound({network, place_ranks(network, PlacementRule::block, 1)}, problem), 1e-3 + 1e-3, 1e-9);
}

TEST(LowerBound, ALineOfTwoLinksSharedByBothDirectionsIsBusyFromBothEnds) {
  // The slow link is beside the first cluster. What leaves that comes to it at once; what comes last to that is beside
  // its goal already. So only 4 of the 10 ms of the line are not hidden, in alltoall 84 ms in all and not 90.
  Network network = star(5, 20e-6, 125e6, 100);
  network.links.push_back({"near", 3e6, 4e-3, Sharing::shared});
  network.links.push_back({"far", 5e6, 6e-3, Sharing::shared});
  const int near = static_cast<int>(network.links.size()) - 2, far = near + 1;
  network.trunks.clear();
  for (int from = 0; from < 5; ++from) {
    network.hosts[from].endpoint = from;
    for (int to = 0; to < 5; ++to) {
      std::vector<int>& links = network.trunks[{from, to}].links;
      if (from < 2 && to >= 2) links = {near, far};
      if (from >= 2 && to < 2) links = {far, near};
    }
  }
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  for (const Algorithm& algorithm : algorithms()) {
    Problem problem{.collective = algorithm.collective};
    if (carries_data(algorithm.collective)) problem.count = 20'000;
    const Plan plan{&algorithm, {}};
    if (!serves(plan, topology, problem)) continue;
    EXPECT_GE(replay({network, placement}, 1, source(plan, topology, problem)).seconds,
              lower_bound({network, placement}, problem) * (1 - 1e-9))
        << name(algorithm.collective) << "/" << algorithm.id;
  }
  const double alltoall_s = lower_bound({network, placement}, {.collective = Collective::alltoall, .count = 20'000});
  EXPECT_NEAR(alltoall_s, 240'000 / 3e6 + 4e-3, 1e-4);
}

class BoundOnRandomNetworks : public ::testing::TestWithParam<int> {};

TEST_P(BoundOnRandomNetworks, NoAlgorithmBeatsIt) {
  for (unsigned seed = 0; seed < 25; ++seed) {
    std::mt19937 random(1000 * static_cast<unsigned>(GetParam()) + seed);
    const auto below = [&](int end) { return std::uniform_int_distribution<int>(0, end - 1)(random); };
    const auto factor = [&] { return std::exp(std::uniform_real_distribution<double>(-2, 2)(random)); };
    Network network = das(1 + below(4), 1 + below(5));
    network.transport.header_bytes = below(2) * 100;
    if (below(3) == 0) network.transport.frame_bytes = 500;
    if (below(3) == 0) {
      network.transport.send_overhead_s = 1e-5 * factor();
      network.transport.receive_overhead_s = 1e-5 * factor();
    }
    if (below(3) == 0)  // groups that the links do not know of
      for (Host& host : network.hosts) host.zones = {};
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
    const PlacementRule rule = below(2) == 0 ? PlacementRule::block : PlacementRule::cyclic;
    const Placement placement = place_ranks(network, rule, 1 + below(2));
    const Topology topology = topology_of(network, placement);
    std::map<Collective, std::pair<Problem, double>> bounds;
    for (const Algorithm& algorithm : algorithms()) {
      const Collective collective = algorithm.collective;
      if (!bounds.contains(collective)) {
        Problem problem{.collective = collective};
        if (carries_data(collective)) problem.count = 1 + below(1 << below(has_root(collective) ? 21 : 15));
        if (has_root(collective)) problem.root = below(placement.size());
        bounds[collective] = {problem, lower_bound({network, placement}, problem)};
      }
      const auto& [problem, bound_s] = bounds.at(collective);
      EXPECT_GE(bound_s, 0);
      Plan plan{&algorithm, {}};
      if (algorithm.parameters.find("segment") != std::string_view::npos)
        plan.parameters.segment_bytes = 1 << (10 + below(10));
      if (!serves(plan, topology, problem)) continue;
      const double seconds = replay({network, placement}, 1, source(plan, topology, problem)).seconds;
      EXPECT_GE(seconds, bound_s * (1 - 1e-9)) << name(collective) << "/" << algorithm.id << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BoundOnRandomNetworks, ::testing::Range(0, 4));

}  // namespace
}  // namespace isthmus
