#include "algorithms/text/sizes.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

TEST(Sizes, HaveUnitsOfPowersOf1024And1000) {
  EXPECT_EQ(parse_size("17"), 17);
  EXPECT_EQ(parse_size("17B"), 17);
  for (const char* text : {"1Mi", "1MiB", "1024Ki", "1024KiB"}) EXPECT_EQ(parse_size(text), 1 << 20) << text;
  for (const char* text : {"64k", "64kB", "64KB"}) EXPECT_EQ(parse_size(text), 64000) << text;
  EXPECT_EQ(parse_size("3GB"), 3'000'000'000);
}

TEST(Sizes, ThatAreNoneAreRefused) {
  for (const char* text : {"", "B", "1K", "1KBi", "1BB", "1 MB", "-1B", "1mb", "9223372036854775807KB"})
    EXPECT_THROW(parse_size(text), BadInput) << text;
}

TEST(Sizes, AreWrittenInPowersOf1024) {
  EXPECT_EQ(size_text(64 << 10), "64Ki");
  EXPECT_EQ(size_text(1000), "1000");
}

}  // namespace
}  // namespace isthmus
