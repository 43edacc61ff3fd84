// What every gather and every scatter sends between clusters, with blocks of one size and of several.
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

/// A collective with blocks of one size, and its form with blocks of several.
struct Forms {
  Collective even, uneven;
};

class ToOrFromARoot : public ::testing::TestWithParam<Forms> {
 protected:
  static Problem even(int root) { return {.collective = GetParam().even, .count = 97, .root = root}; }
  static Problem uneven(int root) {
    return {.collective = GetParam().uneven, .root = root, .counts = uneven_counts(GetParam().uneven, 24, 97)};
  }
};

TEST_P(ToOrFromARoot, MultilevelSendsEachClustersBlocksAsOneMessageOverOneWideAreaLink) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    for (const int root : {0, 11, 23})
      for (const Problem& problem : {even(root), uneven(root)}) {
        const WideArea wide = wide_area_of("multilevel", sites, problem);
        EXPECT_EQ(wide.traffic, (Traffic{sites.clusters - 1, min_wide_area_count(sites, problem)}));
        EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
      }
  }
}

TEST_P(ToOrFromARoot, SendsNoMoreBytesInSegmentsOrInUnevenBlocks) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    for (const auto& [plan, problem] : {std::pair("multilevel:segment=10", even(11)), {"linear", uneven(11)}}) {
      const WideArea wide = wide_area_of(plan, sites, problem);
      EXPECT_EQ(wide.traffic.bytes, min_wide_area_count(sites, problem)) << plan;
      EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0) << plan;
    }
  }
}

TEST_P(ToOrFromARoot, MultilevelCopiesNothingTwiceWhereGroupsAreConsecutive) {
  const Topology topology = grouped(24, [](int rank) { return Path{std::to_string(rank / 6)}; });
  const Schedule schedule = schedule_of(parse_plan(GetParam().even, "multilevel"), topology, even(6));
  EXPECT_EQ(census(schedule, 1).ranks[6].copied_bytes, 97);
}

INSTANTIATE_TEST_SUITE_P(Of, ToOrFromARoot,
                         ::testing::Values(Forms{Collective::gather, Collective::gatherv},
                                           Forms{Collective::scatter, Collective::scatterv}),
                         [](const auto& of) { return std::string(name(of.param.even)); });

}  // namespace
}  // namespace isthmus::tests
