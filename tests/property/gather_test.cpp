// What every gather sends between clusters, with blocks of one size and of several.
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

TEST(MultilevelGather, SendsEachClustersBlocksAsOneMessageOverOneWideAreaLink) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    for (const int root : {0, 11, 23})
      for (const Problem& problem : {Problem{.collective = Collective::gather, .count = 97, .root = root},
                                     Problem{.collective = Collective::gatherv,
                                     .root = root,
                                     .counts = uneven_counts(Collective::gatherv, 24, 97)}}) {
        const WideArea wide = wide_area_of("multilevel", sites, problem);
        EXPECT_EQ(wide.traffic, (Traffic{sites.clusters - 1, min_wide_area_count(sites, problem)}));
        EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
      }
  }
}

TEST(MultilevelGather, SendsNoMoreBytesInSegments) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{.collective = Collective::gather, .count = 97, .root = 11};
    const WideArea wide = wide_area_of("multilevel:segment=10", sites, problem);
    EXPECT_EQ(wide.traffic.bytes, min_wide_area_count(sites, problem));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

TEST(LinearGather, SendsUnevenBlocksStraight) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{
        .collective = Collective::gatherv, .root = 11, .counts = uneven_counts(Collective::gatherv, 24, 97)};
    const WideArea wide = wide_area_of("linear", sites, problem);
    EXPECT_EQ(wide.traffic.bytes, min_wide_area_count(sites, problem));
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
  }
}

TEST(MultilevelGather, CopiesNothingTwiceWhereGroupsAreConsecutive) {
  const Topology topology = grouped(24, [](int rank) { return Path{std::to_string(rank / 6)}; });
  const Problem problem{.collective = Collective::gather, .count = 97, .root = 6};
  const Schedule schedule = schedule_of(parse_plan(Collective::gather, "multilevel"), topology, problem);
  EXPECT_EQ(census(schedule, 1).ranks[6].copied_bytes, 97);
}

}  // namespace
}  // namespace isthmus::tests
