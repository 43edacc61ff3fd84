#include "algorithms/text/near_matches.hpp"

#include <gmock/gmock.h>

#include <array>

namespace isthmus {
namespace {

TEST(NearMatches, ListTheFirstNamesAndHowManyMoreThereAre) {
  constexpr std::array<std::string_view, 4> known = {"wan-1", "wan-2", "lan-1", "lan-2"};
  EXPECT_EQ(near_matches("wann-1", known, 2), "; did you mean `wan-1`? (known: `wan-1`, `wan-2` and 2 more)");
  EXPECT_EQ(near_matches("ocean", known), " (known: `wan-1`, `wan-2`, `lan-1`, `lan-2`)");
}

}  // namespace
}  // namespace isthmus
