// Every scatter, with blocks of one size and of several, is proved, and what it sends between clusters is counted.
#include <gtest/gtest.h>

#include "tests/support/moving_plans.hpp"

namespace isthmus::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Of, ProvedPlan, ::testing::ValuesIn(scatter_plans()), case_name);

TEST(ScatterPlans, CoverTheWholeCatalogue) {
  expect_whole_catalogue(Collective::scatter, scatter_plans());
  expect_whole_catalogue(Collective::scatterv, scatter_plans());
}

/// The elements that have to cross between clusters: the blocks of all ranks outside the root's.
std::int64_t least_wide_area_count(const Sites& sites, const Problem& problem) {
  std::int64_t elements = 0;
  for (int rank = 0; rank < sites.topology.size(); ++rank)
    if (sites.cluster_of(rank) != sites.cluster_of(problem.root)) elements += block_count(problem, rank);
  return elements;
}

TEST(MultilevelScatter, SendsEachClustersBlocksAsOneMessageOverOneWideAreaLink) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    for (const int root : {0, 11, 23}) {
      const Problem problem{.collective = Collective::scatter, .count = 97, .root = root};
      const WideArea wide = wide_area_of("multilevel", sites, problem);
      EXPECT_EQ(wide.traffic, (Traffic{sites.clusters - 1, least_wide_area_count(sites, problem)}));
      EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    }
  }
}

TEST(MultilevelScatter, SendsNoMoreBytesInSegments) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{.collective = Collective::scatter, .count = 97, .root = 11};
    const WideArea wide = wide_area_of("multilevel:segment=10", sites, problem);
    EXPECT_EQ(wide.traffic.bytes, least_wide_area_count(sites, problem));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

TEST(LinearScatter, SendsUnevenBlocksStraight) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{
        .collective = Collective::scatterv, .root = 11, .counts = uneven_counts(Collective::scatterv, 24, 97)};
    const WideArea wide = wide_area_of("linear", sites, problem);
    EXPECT_EQ(wide.traffic.bytes, least_wide_area_count(sites, problem));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

TEST(MultilevelScatter, CopiesNothingTwiceWhereGroupsAreConsecutive) {
  const Topology topology = grouped(24, [](int rank) { return Path{std::to_string(rank / 6)}; });
  const Problem problem{.collective = Collective::scatter, .count = 97, .root = 6};
  const Schedule schedule = schedule_of(parse_plan(Collective::scatter, "multilevel"), topology, problem);
  EXPECT_EQ(census(schedule, 1).ranks[6].copied_bytes, 97);
}

}  // namespace
}  // namespace isthmus::testing
