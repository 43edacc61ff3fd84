#include "algorithms/topology/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/groupings.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using tests::grouped;
using tests::Path;

TEST(Clusters, AreTheGroupsOfLevel1AndTheRanksOutsideAny) {
  // 0 and 3 in a, 1 in none, 2 and 4 in b.
  const std::vector<Path> paths = {{"a"}, {}, {"b"}, {"a", "x"}, {"b"}};
  const Topology topology = Topology::from_paths(paths);
  const Clusters clusters(topology, 3);
  ASSERT_EQ(clusters.size(), 3);
  EXPECT_THAT(clusters.ranks(0), ElementsAre(0, 3));
  EXPECT_THAT(clusters.ranks(1), ElementsAre(1));
  EXPECT_THAT(clusters.ranks(2), ElementsAre(2, 4));
  EXPECT_EQ(clusters.self(), 0);
  EXPECT_EQ(clusters.index_in_cluster(), 1);
  EXPECT_EQ(Clusters(topology, 1).self(), 1);
  EXPECT_EQ(Clusters(topology, 4).self(), 2);
  EXPECT_EQ(Clusters(topology, 4).index_in_cluster(), 1);
}

TEST(Clusters, OfNoGroupsAreOne) {
  const Topology topology = Topology::flat(4);
  const Clusters clusters(topology, 2);
  ASSERT_EQ(clusters.size(), 1);
  EXPECT_THAT(clusters.ranks(0), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(clusters.index_in_cluster(), 2);
}

TEST(Runs, AreFoundLikeByLookingAtTheNeighbours) {
  for (const int size : {1, 2, 5, 17, 30}) {
    for (const tests::Grouping& grouping : tests::groupings(size)) {
      const Topology& topology = grouping.topology;
      for (int level = 0; level <= topology.levels() + 1; ++level) {
        for (int rank = 0; rank < size; ++rank) {
          const int group = topology.group_at(rank, level);
          isthmus::Run run{rank, rank + 1};
          if (topology.group(group).level == level) {
            while (run.first > 0 && topology.group_at(run.first - 1, level) == group) --run.first;
            while (run.end < size && topology.group_at(run.end, level) == group) ++run.end;
          }
          EXPECT_EQ(run_around(topology, level, rank), run) << grouping.name << " level " << level << " rank " << rank;
        }
      }
    }
  }
}

TEST(Runs, WithinARunCoverItInOrder) {
  const std::vector<Path> paths = {{"a", "x"}, {"a", "x"}, {"a"}, {"a", "x"}, {"b"}, {"a", "y"}};
  const Topology topology = Topology::from_paths(paths);
  EXPECT_THAT(runs_within(topology, 1, {0, 6}),
              ElementsAre(isthmus::Run{0, 4}, isthmus::Run{4, 5}, isthmus::Run{5, 6}));
  EXPECT_THAT(runs_within(topology, 2, {0, 4}),
              ElementsAre(isthmus::Run{0, 2}, isthmus::Run{2, 3}, isthmus::Run{3, 4}));
  EXPECT_THAT(runs_within(topology, 3, {0, 2}), ElementsAre(isthmus::Run{0, 1}, isthmus::Run{1, 2}));
}

TEST(Contiguity, OfGroupsIsThatOfTheirRanks) {
  const Topology in_turn = grouped(6, [](int rank) { return Path{std::to_string(rank % 2)}; });
  EXPECT_FALSE(has_contiguous_children(in_turn, 0));
  const Topology blocks = grouped(6, [](int rank) { return Path{std::to_string(rank / 2)}; });
  EXPECT_TRUE(has_contiguous_children(blocks, 0));
  EXPECT_TRUE(has_contiguous_children(Topology::flat(3), 0));
  EXPECT_FALSE(is_contiguous(in_turn.group(1)));
  EXPECT_TRUE(is_contiguous(blocks.group(1)));
}

}  // namespace
}  // namespace isthmus
