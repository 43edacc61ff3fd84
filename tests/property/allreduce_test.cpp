// What every reduction to all ranks sends between clusters.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

Problem problem(std::int64_t count, bool commutative = true) {
  return {.collective = Collective::allreduce, .count = count, .commutative = commutative};
}

TEST(MultilevelAllreduce, SendsTheLeastOverTheWideAreaInTwoLatencies) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("multilevel:segment=10", sites, problem(97));
    EXPECT_EQ(wide.traffic.bytes, 2 * (sites.clusters - 1) * 97);
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 2 : 0);
  }
}

TEST(MultilevelExchangeAllreduce, TakesOneWideAreaLatency) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("multilevel-exchange", sites, problem(5));
    EXPECT_EQ(wide.traffic,
              (Traffic{sites.clusters * (sites.clusters - 1), sites.clusters * (sites.clusters - 1) * 5}));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    const WideArea in_order = wide_area_of("multilevel-exchange", sites, problem(5, false));
    EXPECT_EQ(in_order.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    EXPECT_TRUE(!sites.contiguous || in_order.traffic == wide.traffic);
  }
}

TEST(MultilevelSharedAllreduce, SendsTheLeastOverTheWideAreaAndSharesTheWork) {
  constexpr std::int64_t count = 24 * 24 * 10;
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("multilevel-shared", sites, problem(count));
    EXPECT_EQ(wide.traffic.bytes, 2 * (sites.clusters - 1) * count);
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 2 : 0);
    // Every cluster sends 2 (S - 1) / S of the message, every member its part of that, rounded up.
    const std::vector<int> sizes = sites.cluster_sizes();
    const std::vector<std::int64_t> sent = sent_to_other_clusters(wide, sites);
    for (int rank = 0; rank < 24; ++rank) {
      const std::int64_t cluster_sends = 2 * (sites.clusters - 1) * count / sites.clusters;
      EXPECT_LE(sent[rank], cluster_sends / sizes[sites.cluster_of(rank)] + 4 * sites.clusters) << "rank " << rank;
    }
  }
}

TEST(RingAllreduce, SendsTheSameFromEveryRank) {
  const Sites flat{"flat", Topology::flat(8), 1, true};
  for (const RankCensus& rank : wide_area_of("ring", flat, problem(800)).census.ranks)
    EXPECT_EQ(rank.sent, (Traffic{14, 1400}));
  for (const RankCensus& rank : wide_area_of("segmented-ring:segment=10", flat, problem(800)).census.ranks)
    EXPECT_EQ(rank.sent, (Traffic{140, 1400}));
}

TEST(RabenseifnerAllreduce, SendsTheLeastInLogarithmicallyManyMessages) {
  const Sites flat{"flat", Topology::flat(16), 1, true};
  for (const RankCensus& rank : wide_area_of("rabenseifner", flat, problem(1600)).census.ranks)
    EXPECT_EQ(rank.sent, (Traffic{8, 3000}));
}

}  // namespace
}  // namespace isthmus::tests
