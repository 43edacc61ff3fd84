#include "algorithms/tuning/trials/known_replays.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/catalog.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

using Of = KnownReplays::Of;

TEST(KnownReplays, TellWhatAReplayWithAnotherLimitWould) {
  const Plan quick = parse_plan(Collective::broadcast, "binomial"), slow = parse_plan(Collective::broadcast, "linear");
  KnownReplays replays;
  EXPECT_FALSE(replays.find(quick, Of::plan, infinite));
  replays.note(quick, Of::plan, 5, {2, 10, {}});
  EXPECT_EQ(replays.find(quick, Of::plan, infinite)->seconds, 2);
  EXPECT_EQ(replays.find(quick, Of::plan, 3)->messages, 10);
  EXPECT_FALSE(replays.find(quick, Of::plan, 1));
  EXPECT_FALSE(replays.find(quick, Of::ways, 1));
  replays.note(slow, Of::plan, 5, {infinite, 20, {}});
  EXPECT_EQ(replays.find(slow, Of::plan, 4)->seconds, infinite);
  EXPECT_FALSE(replays.find(slow, Of::plan, 6));
  replays.note(slow, Of::plan, 3, {infinite, 20, {}});  // tells less
  EXPECT_TRUE(replays.find(slow, Of::plan, 4));
  replays.note(slow, Of::plan, 9, {8, 20, {}});
  EXPECT_EQ(replays.find(slow, Of::plan, infinite)->seconds, 8);
}

TEST(KnownReplays, ChangeNothingThatASearchFinds) {
  std::mt19937 random(3);
  const Network network = tests::random_mesh({2, 3, 1}, random).network;
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::scatter})
    for (const std::int64_t count : {10, 100'000}) {
      const Problem problem = tests::problem_of(collective, count, 1);
      KnownReplays replays;
      for (const Search search : {Search::choice_alone, Search::best_of_each, Search::every_algorithm}) {
        const std::vector<Candidate> alone = candidates(placed, problem, search, 1 << 20);
        const std::vector<Candidate> with_known = candidates(placed, problem, search, 1 << 20, &replays);
        ASSERT_EQ(alone.size(), with_known.size());
        for (std::size_t one = 0; one < alone.size(); ++one) {
          EXPECT_EQ(to_string(alone[one].plan), to_string(with_known[one].plan));
          EXPECT_EQ(alone[one].seconds, with_known[one].seconds);
        }
      }
    }
}

}  // namespace
}  // namespace isthmus
