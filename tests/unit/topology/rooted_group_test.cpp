#include "algorithms/topology/rooted_group.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

namespace isthmus {
namespace {

using ::testing::ElementsAre;

std::vector<int> members(const RootedGroup& group) {
  std::vector<int> ranks;
  for (int relative = 0; relative < group.size(); ++relative) ranks.push_back(group.rank(relative));
  return ranks;
}

TEST(RootedGroup, OfEverybodyStartsAtTheRoot) {
  const RootedGroup group(5, 1, 3);
  EXPECT_THAT(members(group), ElementsAre(3, 4, 0, 1, 2));
  EXPECT_EQ(group.relative_rank(), 3);
  EXPECT_FALSE(group.is_root());
  EXPECT_TRUE(RootedGroup(5, 3, 3).is_root());
}

TEST(RootedGroup, OfGivenRanksGoesRoundFromTheRoot) {
  const std::vector<int> ranks = {2, 3, 5, 7, 11};
  const RootedGroup group(ranks, 3, 7);
  EXPECT_THAT(members(group), ElementsAre(7, 11, 2, 3, 5));
  EXPECT_EQ(group.relative_rank(), 3);
}

TEST(RootedGroup, FindsEveryMemberFromEveryRoot) {
  for (const std::vector<int>& ranks : std::vector<std::vector<int>>{{4}, {0, 1, 2, 3}, {3, 4, 5, 9, 10, 40}, {1, 8}}) {
    for (const int root : ranks) {
      for (const int rank : ranks) {
        const RootedGroup group(ranks, rank, root);
        EXPECT_EQ(group.rank(group.relative_rank()), rank);
        EXPECT_EQ(group.rank(0), root);
        EXPECT_EQ(group.is_root(), rank == root);
      }
    }
  }
}

TEST(RootedGroup, LetsARootFromOutsideTakeAMembersPlace) {
  const std::vector<int> ranks = {0, 4, 8};
  EXPECT_THAT(members(RootedGroup(ranks, 8, 6, 4)), ElementsAre(6, 8, 0));
  EXPECT_EQ(RootedGroup(ranks, 8, 6, 4).relative_rank(), 1);
  EXPECT_TRUE(RootedGroup(ranks, 6, 6, 4).is_root());
}

TEST(RootedGroup, RefusesStrangers) {
  const std::vector<int> ranks = {2, 4, 6};
  EXPECT_THROW(RootedGroup(ranks, 3, 2), std::invalid_argument);
  EXPECT_THROW(RootedGroup(ranks, 2, 7), std::invalid_argument);
  EXPECT_THROW(RootedGroup(std::vector<int>{}, 0, 0), std::invalid_argument);
  EXPECT_THROW(RootedGroup(ranks, 4, 5, 4), std::invalid_argument) << "rank 4 has given its place to rank 5";
}

}  // namespace
}  // namespace isthmus
