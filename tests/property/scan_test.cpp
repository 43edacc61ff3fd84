// What every scan, inclusive and exclusive, sends between clusters.
#include <gtest/gtest.h>

#include <bit>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

TEST(MultilevelScan, TellsEveryLaterClusterItsSumInOneWideAreaLatency) {
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    for (const Sites& sites : sites_of(24)) {
      if (!sites.contiguous) continue;
      SCOPED_TRACE(sites.name);
      const WideArea wide = wide_area_of("multilevel", sites, {.collective = collective, .count = 97});
      const std::int64_t links = sites.clusters * (sites.clusters - 1) / 2;
      EXPECT_EQ(wide.traffic, (Traffic{links, links * 97}));
      EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    }
  }
}

TEST(MultilevelScan, TakesOneWideAreaLatencyWhereRanksGoRoundTheSites) {
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    for (const Sites& sites : sites_of(24)) {
      if (sites.contiguous) continue;
      SCOPED_TRACE(sites.name);
      const WideArea wide = wide_area_of("multilevel", sites, {.collective = collective, .count = 97});
      // Every operand goes to every other cluster.
      EXPECT_EQ(wide.traffic, (Traffic{sites.clusters * (sites.clusters - 1), (sites.clusters - 1) * 24 * 97}));
      EXPECT_EQ(wide.links_in_a_row, 1);
    }
  }
}

TEST(RecursiveDoublingScan, TakesLogarithmicallyManySteps) {
  const Plan plan = parse_plan(Collective::scan, "recursive-doubling");
  for (int size = 2; size <= 33; ++size) {
    const Schedule schedule = schedule_of(plan, Topology::flat(size), {.collective = Collective::scan, .count = 3});
    const int rounded_up = std::bit_width(static_cast<unsigned>(size - 1));
    EXPECT_LE(longest_chain(schedule), rounded_up) << size;
    if (std::has_single_bit(static_cast<unsigned>(size))) {
      EXPECT_EQ(longest_chain(schedule), rounded_up) << size;
    }
  }
}

}  // namespace
}  // namespace isthmus::tests
