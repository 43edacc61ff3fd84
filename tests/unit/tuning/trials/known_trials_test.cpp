#include "algorithms/tuning/trials/known_trials.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/catalog.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

TEST(KnownTrials, ChangeNothingThatASearchFinds) {
  std::mt19937 random(3);
  const Network network = tests::random_mesh({2, 3, 1}, random).network;
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::scatter})
    for (const std::int64_t count : {10, 100'000}) {
      const Problem problem = tests::problem_of(collective, count, 1);
      KnownTrials known(placed, problem);
      for (const Search search : {Search::choice_alone, Search::best_of_each, Search::every_algorithm}) {
        const std::vector<Candidate> alone = candidates(placed, problem, search, 1 << 20);
        const std::vector<Candidate> with_known = candidates(placed, problem, search, 1 << 20, &known);
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
