#include "algorithms/text/lines.hpp"

#include <gmock/gmock.h>

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TheLines, OfATextHaveNoEnds) {
  EXPECT_THAT(lines_of("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("\n"), ElementsAre(""));
}

TEST(TheLines, OfOtherSystemsAreTheSame) {
  EXPECT_THAT(lines_of("\xef\xbb\xbf# hosts\r\na\r\n\r\nb"), ElementsAre("# hosts", "a", "", "b"));
  EXPECT_THAT(lines_of("a\rb\n"), ElementsAre("a\rb"));
}

}  // namespace
}  // namespace isthmus
