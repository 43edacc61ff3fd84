// What every alltoall sends between clusters, with blocks of one size and of several.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

/// The elements that have to cross between clusters.
std::int64_t min_exchanged_count(const Sites& sites, const Problem& problem) {
  const int size = sites.topology.size();
  std::int64_t elements = 0;
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to)
      if (sites.cluster_of(from) != sites.cluster_of(to)) elements += block_count(problem, size, from, to);
  return elements;
}

TEST(MultilevelAlltoall, SendsEveryByteOverOneWideAreaLinkInOneMessageARankAndCluster) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{.collective = Collective::alltoall, .count = 97};
    const WideArea wide = wide_area_of("multilevel", sites, problem);
    EXPECT_EQ(wide.traffic, (Traffic{std::int64_t{24} * (sites.clusters - 1), min_exchanged_count(sites, problem)}));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

TEST(MultilevelAlltoall, CutsMessagesIntoSegmentsThatHaveTheSamePartOfEachBlock) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{.collective = Collective::alltoall, .count = 97};
    const WideArea wide = wide_area_of("multilevel:segment=32", sites, problem);  // of 32, 32, 32 and 1
    EXPECT_EQ(wide.traffic,
              (Traffic{std::int64_t{24} * (sites.clusters - 1) * 4, min_exchanged_count(sites, problem)}));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

TEST(MultilevelAlltoall, SendsUnevenBlocksOverOneWideAreaLinkTooInNoMoreMessages) {
  for (const Collective collective : {Collective::alltoallv, Collective::alltoallw})
    for (const Sites& sites : sites_of(24)) {
      SCOPED_TRACE(sites.name);
      const Problem problem{.collective = collective, .counts = uneven_counts(collective, 24, 97)};
      const WideArea wide = wide_area_of("multilevel", sites, problem);
      EXPECT_EQ(wide.traffic.bytes, min_exchanged_count(sites, problem));
      EXPECT_LE(wide.traffic.messages, std::int64_t{24} * (sites.clusters - 1));
      EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    }
}

TEST(MultilevelAlltoall, IsNotForRanksThatKnowTheirOwnBlocksAlone) {
  Problem problem{.collective = Collective::alltoallv, .counts = uneven_counts(Collective::alltoallv, 4, 7)};
  const Plan plan = parse_plan(problem.collective, "multilevel");
  EXPECT_TRUE(serves(plan, Topology::flat(4), problem));
  problem.counts_known = false;
  EXPECT_FALSE(serves(plan, Topology::flat(4), problem));
}

TEST(MultilevelAlltoall, SharesTheWideAreaAmongAllMembersOfACluster) {
  const std::int64_t count = 97;
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide = wide_area_of("multilevel", sites, {.collective = Collective::alltoall, .count = count});
    std::vector<std::int64_t> sent(24), received(24);
    for (const PairCensus& pair : wide.census.pairs)
      if (sites.cluster_of(pair.source) != sites.cluster_of(pair.destination)) {
        sent[pair.source] += pair.traffic.bytes;
        received[pair.destination] += pair.traffic.bytes;
      }
    const std::vector<int> sizes = sites.cluster_sizes();
    for (int rank = 0; rank < 24; ++rank) {
      const std::int64_t members = sizes[sites.cluster_of(rank)];
      EXPECT_EQ(sent[rank], (24 - members) * count);
      EXPECT_LE(received[rank], (24 - members + members - 1) / members * members * count);
    }
  }
}

TEST(DirectAlltoall, SendsUnevenBlocksStraight) {
  for (const Collective collective : {Collective::alltoallv, Collective::alltoallw})
    for (const Sites& sites : sites_of(24))
      for (const char* plan : {"linear", "pairwise", "linear-sync"}) {
        SCOPED_TRACE(fmt::format("{}/{} on {}", name(collective), plan, sites.name));
        const Problem problem{.collective = collective, .counts = uneven_counts(collective, 24, 97)};
        EXPECT_EQ(wide_area_of(plan, sites, problem).traffic.bytes, min_exchanged_count(sites, problem));
      }
}

TEST(Alltoall, TakesAsManyStepsAsItsPaperSays) {
  const auto steps = [](std::string_view plan, int size) { return steps_of(Collective::alltoall, plan, size); };
  EXPECT_EQ(steps("linear", 12), 1);
  EXPECT_EQ(steps("pairwise", 12), 11);
  EXPECT_EQ(steps("bruck", 12), 4);
  EXPECT_EQ(steps("linear-sync:degree=1", 12), 11);
  EXPECT_EQ(steps("linear-sync:degree=3", 13), 4);
  EXPECT_EQ(steps("linear-sync:degree=20", 12), 1);
}

TEST(LinearSyncAlltoall, CopiesOnlyWhatHasToWaitForAnother) {
  const Problem problem{.collective = Collective::alltoall, .count = 97};
  const auto copied = [&](const char* plan) {
    const Schedule schedule = schedule_of(parse_plan(Collective::alltoall, plan), Topology::flat(12), problem);
    return census(schedule, 1).ranks[5].copied_bytes;
  };
  EXPECT_EQ(copied("linear-sync:degree=11"), 97);
  EXPECT_EQ(copied("linear-sync:degree=4"), 8 * 97);
}

}  // namespace
}  // namespace isthmus::tests
