#include "algorithms/topology/party.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

namespace isthmus {
namespace {

using ::testing::ElementsAre;

std::vector<int> members(const Party& party) {
  std::vector<int> ranks;
  for (int relative = 0; relative < party.size(); ++relative) ranks.push_back(party.rank(relative));
  return ranks;
}

TEST(Party, OfEverybodyStartsAtTheRoot) {
  const Party party(5, 1, 3);
  EXPECT_THAT(members(party), ElementsAre(3, 4, 0, 1, 2));
  EXPECT_EQ(party.self(), 3);
  EXPECT_FALSE(party.is_root());
  EXPECT_TRUE(Party(5, 3, 3).is_root());
}

TEST(Party, OfGivenRanksGoesRoundFromTheRoot) {
  const std::vector<int> ranks = {2, 3, 5, 7, 11};
  const Party party(ranks, 3, 7);
  EXPECT_THAT(members(party), ElementsAre(7, 11, 2, 3, 5));
  EXPECT_EQ(party.self(), 3);
}

TEST(Party, FindsEveryMemberFromEveryRoot) {
  for (const std::vector<int>& ranks : std::vector<std::vector<int>>{{4}, {0, 1, 2, 3}, {3, 4, 5, 9, 10, 40}, {1, 8}}) {
    for (const int root : ranks) {
      for (const int rank : ranks) {
        const Party party(ranks, rank, root);
        EXPECT_EQ(party.rank(party.self()), rank);
        EXPECT_EQ(party.rank(0), root);
        EXPECT_EQ(party.is_root(), rank == root);
      }
    }
  }
}

TEST(Party, LetsARootFromOutsideTakeAMembersPlace) {
  const std::vector<int> ranks = {0, 4, 8};
  EXPECT_THAT(members(Party(ranks, 8, 6, 4)), ElementsAre(6, 8, 0));
  EXPECT_EQ(Party(ranks, 8, 6, 4).self(), 1);
  EXPECT_TRUE(Party(ranks, 6, 6, 4).is_root());
}

TEST(Party, RefusesStrangers) {
  const std::vector<int> ranks = {2, 4, 6};
  EXPECT_THROW(Party(ranks, 3, 2), std::invalid_argument);
  EXPECT_THROW(Party(ranks, 2, 7), std::invalid_argument);
  EXPECT_THROW(Party(std::vector<int>{}, 0, 0), std::invalid_argument);
  EXPECT_THROW(Party(ranks, 4, 5, 4), std::invalid_argument) << "rank 4 has given its place to rank 5";
}

}  // namespace
}  // namespace isthmus
