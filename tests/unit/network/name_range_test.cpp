#include "algorithms/network/name_range.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

TEST(NameRange, HasANameForEachNumber) {
  const auto range = parse_name_range("c0-[8-11].org");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->count(), 4);
  EXPECT_EQ(range->name(8), "c0-8.org");
  EXPECT_EQ(range->name(11), "c0-11.org");
  EXPECT_EQ(range->text(), "c0-[8-11].org");
  EXPECT_TRUE(range->is_name("c0-10.org", 10));
  for (const char* other : {"c0-9.org", "c0-10", "c0-10.orga", "c0-.org", "c0-100.org", ""})
    EXPECT_FALSE(range->is_name(other, 10)) << other;
}

TEST(NameRange, IsRefusedUnlessItsNumbersRiseAndArePlain) {
  for (const char* text : {"", "c", "c[]", "c[3]", "c[3-]", "c[-3]", "c[3-2]", "c[03-4]", "c[3-04]", "c[3-4", "c3-4]",
                           "c]3-4[", "c[3-4-5]", "c[3- 4]", "c[+3-4]", "c[3-2147483648]", "c[3-99999999999999999999]"})
    EXPECT_FALSE(parse_name_range(text)) << text;
  EXPECT_TRUE(parse_name_range("[0-2147483647]"));
}

TEST(NameRange, IsFoundFromItsFirstTwoNames) {
  const auto text_of = [](const char* one, const char* next) {
    const auto range = range_of_names(one, next);
    return range ? range->text() : "none";
  };
  EXPECT_EQ(text_of("c0-3", "c0-4"), "c0-[3-4]");
  EXPECT_EQ(text_of("c0-9", "c0-10"), "c0-[9-10]");
  EXPECT_EQ(text_of("c0-19", "c0-20"), "c0-[19-20]");
  EXPECT_EQ(text_of("c0_link_99_UP", "c0_link_100_UP"), "c0_link_[99-100]_UP");
  EXPECT_EQ(text_of("wan-1-3", "wan-2-3"), "wan-[1-2]-3");
  EXPECT_EQ(text_of("7", "8"), "[7-8]");
  const char* const others[][2] = {{"c0-3", "c0-5"}, {"c0-4", "c0-3"}, {"c0-3", "c0-3"}, {"c0-03", "c0-04"},
                                   {"c", "d"},       {"c0-3", "c1-4"}, {"c3", "c4x"},    {"c[1]-3", "c[1]-4"},
                                   {"", ""},         {"3", ""}};
  for (const auto& [one, next] : others) EXPECT_EQ(text_of(one, next), "none") << one << ' ' << next;
}

}  // namespace
}  // namespace isthmus
