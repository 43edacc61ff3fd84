#include "algorithms/text/parts.hpp"

#include <gmock/gmock.h>

namespace isthmus {
namespace {

using testing::ElementsAre;

TEST(TheParts, OfATextLieBetweenItsSeparators) {
  EXPECT_THAT(parts_of("a,bc,d", ','), ElementsAre("a", "bc", "d"));
  EXPECT_THAT(parts_of("a", ','), ElementsAre("a"));
  EXPECT_THAT(parts_of("", ','), ElementsAre(""));
  EXPECT_THAT(parts_of(",a,,", ','), ElementsAre("", "a", "", ""));
}

}  // namespace
}  // namespace isthmus
