#include "algorithms/text/characters.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

TEST(TheWidthOfAText, IsThatOfTerminals) {
  EXPECT_EQ(text_width(""), 0U);
  EXPECT_EQ(text_width("c0-0"), 4U);
  EXPECT_EQ(text_width("København"), 9U);
  EXPECT_EQ(text_width("東京-0"), 6U);
  EXPECT_EQ(text_width("한국"), 4U);
  EXPECT_EQ(text_width("e\xcc\x81"), 1U);         // an accent of its own
  EXPECT_EQ(text_width("\xf0\x9f\x8c\x8d"), 2U);  // a picture
  EXPECT_EQ(text_width("a\xff\xc3"), 3U);         // no UTF-8
}

TEST(ACharacter, IsReadWithItsCodePoint) {
  EXPECT_EQ(first_character("東京").point, 0x6771U);
  EXPECT_EQ(first_character("東京").bytes, 3U);
  EXPECT_EQ(first_character("\xed\xa0\x80").bytes, 0U);  // a surrogate
  EXPECT_EQ(first_character("\xc3").bytes, 0U);
}

}  // namespace
}  // namespace isthmus
