#include "algorithms/replay/forwarded.hpp"

#include <gtest/gtest.h>

#include "algorithms/bounds/lower_bound.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/select.hpp"
#include "algorithms/tuning/trials/link_load.hpp"
#include "tests/support/catalog_plans.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

constexpr double wan_Bps = 1e6, wan_s = 10e-3, lan_s = 20e-6;

/// Two clusters without a route to each other, and a third one, without ranks, between them.
PlacedNetwork two_clusters(int hosts, int gateways) {
  Network network = tests::grid({.clusters = 3, .hosts = std::max(hosts, gateways), .header_bytes = 0});
  network.trunks.erase({0, 2});
  network.trunks.erase({2, 0});
  const int width = std::max(hosts, gateways);
  Placement placement;
  for (int host = 0; host < 3 * width; ++host)
    if (host / width != 1 && host % width < hosts) placement.host_of_rank.push_back(host);
  for (int host = gateways; host < width; ++host) {  // not gateways: hosts that reach nobody
    network.hosts[width + host].endpoint = 100 + host;
    network.trunks[{100 + host, 100 + host}] = {};
  }
  return {std::move(network), std::move(placement)};
}

double broadcast_s(const PlacedNetwork& placed, std::int64_t bytes) {
  const Problem problem{.count = bytes};
  const Plan plan = parse_plan(Collective::broadcast, "linear");
  return replay(placed, 1, source(plan, placed.topology(), problem)).seconds;
}

TEST(AForwardedMessage, IsPassedOnInPieces) {
  const PlacedNetwork placed = two_clusters(1, 1);
  const double latency_s = 2 * (wan_s + lan_s);
  EXPECT_NEAR(broadcast_s(placed, 1), latency_s + 2 / wan_Bps, 1e-9) << "as a whole";
  const std::int64_t piece = forwarded_piece_bytes(placed.network());
  const double piece_s = static_cast<double>(piece) / wan_Bps;
  EXPECT_NEAR(broadcast_s(placed, piece), latency_s + 2 * piece_s, 1e-9);
  EXPECT_NEAR(broadcast_s(placed, 32 * piece), latency_s + 33 * piece_s, 1e-9) << "in a pipeline";
}

TEST(AForwardedMessage, TakesTheProcessorOfTheForwarder) {
  const PlacedNetwork placed = two_clusters(1, 1);
  const double without_s = broadcast_s(placed, 1);
  Network network = placed.network();
  network.transport.send_overhead_s = network.transport.receive_overhead_s = 1e-3;
  // The forwarder receives, then the destination does; what leaves a processor leaves when its send begins.
  EXPECT_NEAR(broadcast_s(placed.with_links_of(network), 1), without_s + 2e-3, 1e-5);
}

TEST(AForwardedMessage, HasEndsOfTheRanksAloneInItsReplay) {
  const PlacedNetwork placed = two_clusters(2, 1);
  const Problem problem{.count = 1 << 16};
  const Plan plan = parse_plan(Collective::broadcast, "binomial");
  const ProgramSource programs = source(plan, placed.topology(), problem);
  EXPECT_EQ(replay(placed, 1, programs).rank_end_s.size(), 4U);
  const Carried all = carried(placed, 1, programs);
  EXPECT_EQ(all.placed.size(), 5);
  const Schedule schedule = materialise(all.placed.size(), all.programs);
  for (int rank = 0; rank < all.placed.size(); ++rank)
    for (const Op& op : schedule[rank].ops()) {
      if (op.kind != OpKind::send) continue;
      EXPECT_TRUE(all.placed.network().has_route(all.placed.host_of(rank), all.placed.host_of(op.peer)));
    }
  for (const LinkLoad& load : link_loads(placed, programs, 1))
    EXPECT_GE(load.bytes, 1 << 16) << placed.network().links[load.link].name;
}

class CollectivesOverForwarders : public testing::TestWithParam<Collective> {};

TEST_P(CollectivesOverForwarders, AreNeverQuickerThanTheBound) {
  for (const int gateways : {1, 2})
    for (const std::int64_t count : {1, 50000}) {
      const PlacedNetwork placed = two_clusters(3, gateways);
      const Problem problem{GetParam(), carries_data(GetParam()) ? count : 0, 4, 0};
      const double bound_s = find_lower_bound(placed, problem).seconds;
      EXPECT_GT(bound_s, 2 * wan_s);
      for (const std::string& text : tests::plans_of(GetParam())) {
        const Plan plan = parse_plan(GetParam(), text);
        if (!serves(plan, placed.topology(), problem)) continue;
        const double seconds = replay(placed, 4, source(plan, placed.topology(), problem)).seconds;
        EXPECT_GE(seconds, bound_s * (1 - 1e-9)) << text << ", " << gateways << " gateways, " << count;
      }
      const Candidate choice = choose(placed, problem);
      EXPECT_LT(choice.seconds, 4 * bound_s) << to_string(choice.plan) << ", " << gateways << ", " << count;
    }
}

INSTANTIATE_TEST_SUITE_P(Collectives, CollectivesOverForwarders,
                         testing::ValuesIn(collectives().begin(), collectives().end()),
                         [](const auto& collective) { return std::string(name(collective.param)); });

}  // namespace
}  // namespace isthmus
