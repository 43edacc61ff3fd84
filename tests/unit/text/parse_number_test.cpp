#include "algorithms/text/parse_number.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace isthmus {
namespace {

TEST(ParsedNumber, IsTheWholeText) {
  EXPECT_EQ(parse_number<int>("42"), 42);
  EXPECT_EQ(parse_number<int>("-1"), -1);
  EXPECT_EQ(parse_number<double>("2.5e3"), 2500.0);
  EXPECT_EQ(parse_number<std::int64_t>("9223372036854775807"), INT64_MAX);
}

TEST(ParsedNumber, IsNothingForMoreThanANumber) {
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "0x1", "1.5", "one"})
    EXPECT_FALSE(parse_number<int>(text)) << text;
}

TEST(ParsedNumber, IsNothingWhereItDoesNotFit) {
  EXPECT_FALSE(parse_number<int>("2147483648"));
  EXPECT_FALSE(parse_number<std::int64_t>("9223372036854775808"));
  EXPECT_FALSE(parse_number<double>("1e999"));
}

}  // namespace
}  // namespace isthmus
