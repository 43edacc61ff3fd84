#include "algorithms/replay/critical_path.hpp"

#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using tests::das;
using tests::star;

CostSplit cost_split_of(const Network& network, Collective collective, const std::string& plan_text,
                        std::int64_t bytes) {
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Plan plan = parse_plan(collective, plan_text);
  const Problem problem{.collective = collective, .count = bytes};
  const ProgramSource programs = source(plan, placed.topology(), problem);
  const Replay timed = replay(placed, 1, programs, true);
  const CostSplit split = critical_path(placed, 1, materialise(placed.size(), programs), timed.timeline);
  EXPECT_NEAR(split.seconds(), timed.seconds, 1e-9 * timed.seconds);
  return split;
}

TEST(CriticalPath, OfAChainIsEveryHop) {
  const CostSplit split = cost_split_of(star(5, 1e-3, 1e6), Collective::broadcast, "chain", 1000);
  EXPECT_EQ(split.messages, 4);
  EXPECT_NEAR(split.latency_s, 4e-3, 1e-12);
  EXPECT_NEAR(split.local_s, 4e-3, 1e-12);
  EXPECT_EQ(split.wide_area_s, 0);
  EXPECT_NEAR(split.contention_s, 0, 1e-12);
}

TEST(CriticalPath, WideAreaAndLocalTransferAreTold) {
  const CostSplit split = cost_split_of(das(2, 2), Collective::broadcast, "multilevel", 1000000);
  EXPECT_NEAR(split.wide_area_s, 1.0001, 1e-6);
  EXPECT_NEAR(split.local_s, 1000100 / 50e6, 1e-6);
  EXPECT_NEAR(split.latency_s, 10.04e-3, 1e-9);
}

TEST(CriticalPath, SegmentsBeforeItAreTransferAndOtherRanksMessagesAreContention) {
  const CostSplit segments = cost_split_of(star(2, 1e-3, 1e6), Collective::broadcast, "chain:segment=1000", 10000);
  EXPECT_NEAR(segments.local_s, 10e-3, 1e-9);
  EXPECT_NEAR(segments.contention_s, 0, 1e-9);
  const CostSplit others = cost_split_of(star(5, 1e-3, 1e6), Collective::gather, "linear", 1000);
  EXPECT_NEAR(others.local_s, 1e-3, 1e-9);
  EXPECT_NEAR(others.contention_s, 3e-3, 1e-9);
}

TEST(CriticalPath, AnAcknowledgedSendIsItsMessageAndTheWayBack) {
  const CostSplit split = cost_split_of(das(4, 1), Collective::broadcast, "magpie", 1000000);
  EXPECT_EQ(split.messages, 3);  // one after the other
  EXPECT_NEAR(split.wide_area_s, 3 * 1.0001, 1e-6);
  EXPECT_NEAR(split.latency_s, 6 * 10.02e-3, 1e-6);
  EXPECT_NEAR(split.contention_s, 0, 1e-9);
}

TEST(CriticalPath, ProcessorTimeIsOverhead) {
  Network network = star(2, 1e-3, 1e6);
  network.transport.receive_overhead_s = 0.5e-3;
  const CostSplit split = cost_split_of(network, Collective::broadcast, "linear", 100);
  EXPECT_NEAR(split.overhead_s, 0.4e-3, 0.15e-3);
}

TEST(CriticalPath, ReductionsAreOverhead) {
  Network network = star(5, 1e-3, 1e6);
  network.transport.reduction_s_per_byte = 1e-6;
  const CostSplit split = cost_split_of(network, Collective::reduce, "chain", 1000);
  EXPECT_NEAR(split.overhead_s, 4e-3, 1e-9);
  EXPECT_NEAR(split.latency_s + split.local_s, 8e-3, 1e-9);
  EXPECT_NEAR(split.contention_s, 0, 1e-9);
}

TEST(CriticalPath, SplitsEveryAlgorithmWithoutRest) {
  const Network network = das(3, 3);
  for (const Algorithm& algorithm : algorithms()) {
    const std::int64_t bytes = carries_data(algorithm.collective) ? 5000 : 0;
    const CostSplit split = cost_split_of(network, algorithm.collective, std::string(algorithm.id), bytes);
    EXPECT_GE(split.contention_s, -1e-12) << algorithm.id;
    EXPECT_GE(split.latency_s, 10e-3) << algorithm.id;
  }
}

}  // namespace
}  // namespace isthmus
