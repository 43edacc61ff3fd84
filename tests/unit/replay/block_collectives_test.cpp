// Times of collectives that move blocks over a wide area, by replay: no intermediate rank is a bottleneck.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

constexpr double wan_latency_s = 10.02e-3;  // of a whole route
constexpr double wan_bandwidth_Bps = 1e6;

double seconds(Collective collective, std::string_view plan_text, int hosts, std::int64_t bytes, int root = 0) {
  const Network network = tests::das(4, hosts);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  const Topology topology = topology_of(network, placement);
  const Problem problem{.collective = collective, .count = bytes, .root = root};
  const Plan plan = parse_plan(collective, plan_text);
  check(plan, topology, problem);
  return replay({network, placement}, 1, source(plan, topology, problem)).seconds;
}

TEST(MovingTimes, ShortBlocksTakeAboutOneWideAreaLatency) {
  for (const int root : {0, 6}) {
    EXPECT_LT(seconds(Collective::gather, "multilevel", 4, 8, root), 1.03 * wan_latency_s);
    EXPECT_LT(seconds(Collective::scatter, "multilevel", 4, 8, root), 1.03 * wan_latency_s);
  }
  EXPECT_LT(seconds(Collective::allgather, "multilevel", 4, 8), 1.06 * wan_latency_s);
  EXPECT_LT(seconds(Collective::allgather, "aggregated", 4, 8), 1.03 * wan_latency_s);
  EXPECT_LT(seconds(Collective::allgather, "aggregated", 16, 8), 1.06 * wan_latency_s);
  EXPECT_LT(seconds(Collective::alltoall, "multilevel", 4, 8), 1.06 * wan_latency_s);
}

/// The seconds that the link between two clusters needs for the bytes that have to cross it.
double link_seconds(double bytes) { return wan_latency_s + bytes / wan_bandwidth_Bps; }

TEST(MovingTimes, LongBlocksTakeWhatTheWideAreaLinksTake) {
  constexpr std::int64_t bytes = 1 << 20;
  for (const int hosts : {4, 16}) {
    SCOPED_TRACE(std::to_string(hosts) + " hosts a cluster");
    const double least = link_seconds(hosts * double{bytes});
    for (const char* plan : {"linear:segment=32Ki", "multilevel:segment=32Ki"}) {
      EXPECT_LT(seconds(Collective::gather, plan, hosts, bytes), 1.02 * least) << plan;
      EXPECT_LT(seconds(Collective::scatter, plan, hosts, bytes), 1.02 * least) << plan;
    }
    EXPECT_LT(seconds(Collective::allgather, "multilevel:segment=32Ki", hosts, bytes), 1.02 * least);
  }
  EXPECT_LT(seconds(Collective::alltoall, "linear", 4, bytes), 1.02 * link_seconds(16.0 * bytes));
  EXPECT_LT(seconds(Collective::alltoall, "multilevel", 4, bytes), 1.04 * link_seconds(16.0 * bytes));
  EXPECT_LT(seconds(Collective::alltoall, "multilevel:segment=32Ki", 4, bytes), 1.003 * link_seconds(16.0 * bytes));
}

}  // namespace
}  // namespace isthmus
