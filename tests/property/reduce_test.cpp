// What every reduction to one rank sends between clusters.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

TEST(MultilevelReduce, SendsEachClustersSumOnceOverOneWideAreaLink) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    for (const int root : {0, 11, 23}) {
      const WideArea wide =
          wide_area_of("multilevel", sites, {.collective = Collective::reduce, .count = 97, .root = root});
      EXPECT_EQ(wide.traffic, (Traffic{sites.clusters - 1, (sites.clusters - 1) * 97}));
      EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
    }
  }
}

TEST(MultilevelReduce, LosesNothingByKeepingTheOrderWhereGroupsAreConsecutive) {
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    for (const int root : {0, 11, 23}) {
      const Problem problem{.collective = Collective::reduce, .count = 97, .root = root, .commutative = false};
      const WideArea wide = wide_area_of("multilevel", sites, problem);
      EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 1 : 0);
      EXPECT_TRUE(!sites.contiguous || wide.traffic.bytes == (sites.clusters - 1) * 97);
    }
  }
}

TEST(MultilevelReduce, KeepingTheOrderOfRanksInTurnSendsEachOperandOfTheOtherSites) {
  const Sites sites{"in turn", grouped(24, [](int rank) { return Path{std::to_string(rank % 4)}; }), 4, false};
  const Problem problem{.collective = Collective::reduce, .count = 97, .root = 11, .commutative = false};
  EXPECT_EQ(wide_area_of("multilevel", sites, problem).traffic.bytes, 18 * 97);
}

TEST(MultilevelSharedReduce, SendsNoMoreThanTwoPartsOverAnyWideAreaLink) {
  constexpr std::int64_t count = 24 * 24 * 10;
  for (const Sites& sites : sites_of(24)) {
    SCOPED_TRACE(sites.name);
    const Problem problem{.collective = Collective::reduce, .count = count, .root = 11};
    const WideArea wide = wide_area_of("multilevel-shared", sites, problem);
    EXPECT_EQ(wide.links_in_a_row, sites.clusters > 1 ? 2 : 0);
    std::map<std::pair<int, int>, std::int64_t> link;
    for (const PairCensus& pair : wide.census.pairs)
      link[{sites.cluster_of(pair.source), sites.cluster_of(pair.destination)}] += pair.traffic.bytes;
    for (const auto& [clusters, bytes] : link) {
      if (clusters.first == clusters.second) continue;
      EXPECT_EQ(bytes, (clusters.second == sites.cluster_of(11) ? 2 : 1) * count / sites.clusters);
    }
  }
}

TEST(Multipath, SendsABlockOverEveryWideAreaLinkAndNoByteIntoAClusterTwice) {
  constexpr std::int64_t count = 24 * 35;
  for (const Collective collective : {Collective::broadcast, Collective::reduce})
    for (const Sites& sites : sites_of(24)) {
      SCOPED_TRACE(fmt::format("{} over {}", name(collective), sites.name));
      const Problem problem{.collective = collective, .count = count, .root = 11};
      const WideArea wide = wide_area_of("multipath", sites, problem);
      EXPECT_EQ(wide.traffic.bytes, (sites.clusters - 1) * count);
      std::map<std::pair<int, int>, std::int64_t> link;
      for (const PairCensus& pair : wide.census.pairs)
        link[{sites.cluster_of(pair.source), sites.cluster_of(pair.destination)}] += pair.traffic.bytes;
      for (const auto& [clusters, bytes] : link)
        if (clusters.first != clusters.second) {
          EXPECT_LE(bytes, (count + sites.clusters - 2) / (sites.clusters - 1));
        }
    }
}

TEST(RabenseifnerReduce, SendsNoMoreThanTwiceTheOperandFromAnyRank) {
  const Sites sites{"flat", Topology::flat(16), 1, true};
  const Problem problem{.collective = Collective::reduce, .count = 1600, .root = 5};
  for (const RankCensus& rank : wide_area_of("rabenseifner", sites, problem).census.ranks) {
    EXPECT_LE(rank.sent.bytes, 2 * 1500);
    EXPECT_EQ(rank.reduced_bytes, 1500);
  }
}

}  // namespace
}  // namespace isthmus::tests
