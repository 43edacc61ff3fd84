// The size from which the choice is another algorithm.
#include "validation/studies/switching_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/networks.hpp"
#include "tests/support/problems.hpp"

namespace isthmus {
namespace {

TEST(SwitchingPoint, IsASizeWithAnotherChoiceCloseToOneWithTheSame) {
  const Network network = tests::das(4, 4);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  int switches = 0;
  for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::broadcast})
    for (const std::int64_t bytes : {1024, 65536}) {
      const Problem problem{.collective = collective, .count = bytes, .element_bytes = 1};
      const std::vector<Candidate> tried = candidates(placed, problem, Search::best_of_each);
      const Algorithm* const now = tried.front().plan.algorithm;
      EXPECT_EQ(now, choose(placed, problem).plan.algorithm) << name(collective) << " " << bytes;
      SwitchSearch search(placed, problem);
      search.look_ahead();
      const std::optional<SwitchingPoint> next = search.find(tried);
      if (!next) {
        EXPECT_EQ(search.looked_up_to_bytes(), std::min<std::int64_t>(bytes * 4096, 16 << 20))
            << name(collective) << " " << bytes;
        continue;
      }
      ++switches;
      const auto chosen_for = [&](std::int64_t count) {
        return choose(placed, {.collective = collective, .count = count, .element_bytes = 1}).plan.algorithm;
      };
      EXPECT_NE(chosen_for(next->bytes), now) << name(collective) << " " << bytes << ": " << next->bytes;
      EXPECT_EQ(next->plan.algorithm, chosen_for(next->bytes));
      EXPECT_EQ(chosen_for(next->bytes * 10 / 11), now) << name(collective) << " " << bytes << ": " << next->bytes;
    }
  EXPECT_GT(switches, 0);
}

}  // namespace
}  // namespace isthmus
