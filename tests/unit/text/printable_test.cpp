#include "algorithms/text/printable.hpp"

#include <gtest/gtest.h>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

TEST(PrintableText, LeavesWordsOfAnyLanguageAsTheyAre) {
  for (const char* text : {"", "c0-0", "Köln", "東京", "a\"b\\c", "\xf0\x9f\x8c\x8d"}) EXPECT_EQ(printable(text), text);
}

TEST(PrintableText, WritesOutWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[31mred"), "a\\x1b[31mred");
  EXPECT_EQ(printable("\n\t\r\x7f"), "\\n\\t\\r\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u{009b}2J");  // a control sequence in one character
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "gnp"),
            "\\u{202e}gnp");  // from right to left
}

TEST(PrintableText, WritesOutBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff"
                      "a\xc3"),
            "\\xffa\\xc3");
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80");                    // too long for what it says
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
}

TEST(AnExcerpt, IsTheBeginningOfALongText) {
  EXPECT_EQ(excerpt("short"), "short");
  EXPECT_EQ(excerpt(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(excerpt(std::string(61, 'x')), std::string(60, 'x') + " ...");
  EXPECT_EQ(excerpt("Köln am Rhein", 4), "Köln ...");
}

TEST(AnError, IsOneLineWhateverStandsInIt) {
  EXPECT_STREQ(BadInput("host \x1b[2J\nb: twice\n").what(), "host \\x1b[2J\\nb: twice");
  const std::string long_one = BadInput("begin " + std::string(100000, 'x') + " end").what();
  EXPECT_LT(long_one.size(), 2000);
  EXPECT_TRUE(long_one.starts_with("begin ") && long_one.ends_with(" end"));
}

}  // namespace
}  // namespace isthmus
