// What every allgather sends between clusters, with blocks of one size and of several.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

std::int64_t all_elements(const Problem& problem, int size) {
  std::int64_t elements = 0;
  for (int rank = 0; rank < size; ++rank) elements += block_count(problem, rank);
  return elements;
}

TEST(AllgatherOverGroups, SendsEveryByteToEachOtherClusterOnceOverOneWideAreaLink) {
  const Problem even{.collective = Collective::allgather, .count = 97};
  const Problem uneven{.collective = Collective::allgatherv, .counts = uneven_counts(Collective::allgatherv, 24, 97)};
  for (const Sites& sites : sites_of(24))
    for (const Problem& problem : {even, uneven})
      for (const char* plan : {"multilevel", "multilevel:segment=10", "aggregated"}) {
        SCOPED_TRACE(fmt::format("{} on {}", plan, sites.name));
        const WideArea wide = wide_area_of(plan, sites, problem);
        EXPECT_EQ(wide.traffic.bytes, (sites.clusters - 1) * all_elements(problem, 24));
        EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
      }
}

struct TrafficByRank {
  std::vector<Traffic> sent, received;
};

/// What each rank sends to other clusters and receives from them.
TrafficByRank wide_area_traffic_by_rank(const WideArea& wide, const Sites& sites) {
  const int size = sites.topology.size();
  TrafficByRank traffic{std::vector<Traffic>(size), std::vector<Traffic>(size)};
  for (const PairCensus& pair : wide.census.pairs)
    if (sites.cluster_of(pair.source) != sites.cluster_of(pair.destination)) {
      traffic.sent[pair.source] += pair.traffic;
      traffic.received[pair.destination] += pair.traffic;
    }
  return traffic;
}

TEST(MultilevelAllgather, SharesTheWideAreaAmongAllMembersOfACluster) {
  const std::int64_t count = 97;
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("multilevel", sites, {.collective = Collective::allgather, .count = count});
    const auto [sent, received] = wide_area_traffic_by_rank(wide, sites);
    const std::vector<int> sizes = sites.cluster_sizes();
    for (int rank = 0; rank < 24; ++rank) {
      const std::int64_t members = sizes[sites.cluster_of(rank)];
      EXPECT_EQ(sent[rank], (Traffic{sites.clusters - 1, (sites.clusters - 1) * count}));
      EXPECT_LE(received[rank].bytes, (24 - members + members - 1) / members * count);
    }
  }
}

TEST(AggregatedAllgather, SendsOneMessageFromEachClusterToEachOtherSharedByTheMembers) {
  const std::int64_t count = 97;
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("aggregated", sites, {.collective = Collective::allgather, .count = count});
    const std::int64_t others = sites.clusters - 1;
    EXPECT_EQ(wide.traffic, (Traffic{sites.clusters * others, others * 24 * count}));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    const auto [sent, received] = wide_area_traffic_by_rank(wide, sites);
    const std::vector<int> sizes = sites.cluster_sizes();
    for (int rank = 0; rank < 24; ++rank) {
      const int members = sizes[sites.cluster_of(rank)];
      EXPECT_LE(sent[rank].messages, (others + members - 1) / members);
      EXPECT_LE(received[rank].messages, (others + members - 1) / members);
    }
  }
}

TEST(AllgatherOverGroups, BringsEveryRankEveryBlockOnce) {
  for (const Sites& sites : sites_of(24))
    for (const char* plan : {"multilevel", "multilevel:segment=10", "aggregated"}) {
      SCOPED_TRACE(fmt::format("{} on {}", plan, sites.name));
      const WideArea wide = wide_area_of(plan, sites, {.collective = Collective::allgather, .count = 97});
      for (const RankCensus& rank : wide.census.ranks) EXPECT_EQ(rank.received.bytes, 23 * 97);
    }
}

TEST(MultilevelAllgather, InSegmentsCopiesNothingButItsOwnBlock) {
  for (const Sites& sites : sites_of(24)) {
    const Problem problem{.collective = Collective::allgather, .count = 97};
    for (const RankCensus& rank : wide_area_of("multilevel:segment=10", sites, problem).census.ranks)
      EXPECT_EQ(rank.copied_bytes, 97);
  }
}

TEST(Allgather, TakesAsManyStepsAsItsPaperSays) {
  const auto steps = [](std::string_view plan, int size) { return steps_of(Collective::allgather, plan, size); };
  EXPECT_EQ(steps("ring", 12), 11);
  EXPECT_EQ(steps("bruck", 13), 4);
  EXPECT_EQ(steps("bruck", 12), 3);  // the last step sends nothing that the one before it brings
  EXPECT_EQ(steps("bruck", 16), 4);
  EXPECT_EQ(steps("recursive-doubling", 16), 4);
  EXPECT_EQ(steps("recursive-doubling", 12), 5);
  EXPECT_EQ(steps("neighbour-exchange", 12), 6);
  EXPECT_EQ(steps("neighbour-exchange", 13), 7);
}

}  // namespace
}  // namespace isthmus::tests
