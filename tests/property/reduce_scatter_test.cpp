// What every reduce-scatter sends between clusters, with equal and with uneven blocks.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalog.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

TEST(MultilevelReduceScatter, SendsEachBlockOfEachClustersSumOnceOverOneWideAreaLink) {
  constexpr std::int64_t count = 24;
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const WideArea wide =
        wide_area_of("multilevel", sites, {.collective = Collective::reduce_scatter_block, .count = count});
    EXPECT_EQ(wide.traffic.bytes, (sites.clusters - 1) * 24 * count);
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    // A cluster sends the blocks of all ranks outside it; its members share that evenly, region by region.
    const std::vector<int> sizes = sites.cluster_sizes();
    const std::vector<std::int64_t> sent = sent_to_other_clusters(wide, sites);
    for (int rank = 0; rank < 24; ++rank) {
      const int own = sizes[sites.cluster_of(rank)];
      EXPECT_LE(sent[rank], (24 - own) * count / own + sites.clusters) << "rank " << rank;
    }
  }
}

TEST(MultilevelReduceScatter, KeepsToOneWideAreaLatencyWhenItKeepsTheOrder) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    Problem problem{.collective = Collective::reduce_scatter_block, .count = 24};
    const WideArea any = wide_area_of("multilevel", sites, problem);
    problem.commutative = false;
    const WideArea in_order = wide_area_of("multilevel", sites, problem);
    EXPECT_EQ(in_order.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    EXPECT_TRUE(!sites.contiguous || in_order.traffic == any.traffic);
  }
}

TEST(MultilevelReduceScatter, SendsTheLeastBetweenTheGroupsOfEveryLevel) {
  // Two sites of two machines of two nodes of three ranks.
  const Topology topology = grouped(24, [](int rank) {
    return Path{std::to_string(rank / 12), std::to_string(rank / 6), std::to_string(rank / 3)};
  });
  constexpr std::int64_t count = 24, whole = 24 * count;
  const Problem problem{.collective = Collective::reduce_scatter_block, .count = count};
  const Census all = census(schedule_of(parse_plan(problem.collective, "multilevel"), topology, problem), 1);
  const auto crossing_at = [&](int level) {
    return crossing(all,
                    [&](int a, int b) {
                      return topology.group_at(a, level - 1) == topology.group_at(b, level - 1) &&
                             topology.group_at(a, level) != topology.group_at(b, level);
                    })
        .bytes;
  };
  // Each group at each level works on the whole operand, of which either half inside sends the other one's part.
  EXPECT_EQ(crossing_at(1), whole);
  EXPECT_EQ(crossing_at(2), 2 * whole);
  EXPECT_EQ(crossing_at(3), 4 * whole);
}

TEST(FlatReduceScatter, SendsTheLeast) {
  const Sites flat{"flat", Topology::flat(16), 1, true};
  for (const char* plan : {"ring", "recursive-halving", "butterfly", "pairwise"}) {
    const WideArea all = wide_area_of(plan, flat, {.collective = Collective::reduce_scatter_block, .count = 10});
    for (const RankCensus& rank : all.census.ranks) EXPECT_EQ(rank.sent.bytes, 150) << plan;
  }
}

}  // namespace
}  // namespace isthmus::tests
