#include "algorithms/text/near_matches.hpp"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace isthmus {
namespace {

TEST(NearMatches, ListTheFirstNamesAndHowManyMoreThereAre) {
  constexpr std::array<std::string_view, 4> known = {"wan-1", "wan-2", "lan-1", "lan-2"};
  EXPECT_EQ(near_matches("wann-1", known, 2), "; did you mean `wan-1`? (known: `wan-1`, `wan-2` and 2 more)");
  EXPECT_EQ(near_matches("ocean", known), " (known: `wan-1`, `wan-2`, `lan-1`, `lan-2`)");
  EXPECT_EQ(near_matches("ocean", {}), " (none is known)");
}

TEST(NearMatches, MakeOneLineOfReasonableLengthOfNamesFromAFile) {
  const std::string bytes(1000, '\xff');
  const std::vector<std::string_view> known(500, bytes);
  const std::string text = near_matches("ocean", known) + near_matches(bytes, known);
  EXPECT_LT(text.size(), 8000U);
  EXPECT_THAT(text, testing::HasSubstr("\\xff ...`, `\\xff"));
  EXPECT_THAT(text, testing::HasSubstr(" and 49"));
  EXPECT_EQ(text.find('\xff'), std::string::npos);
}

}  // namespace
}  // namespace isthmus
