#include "algorithms/schedule/slice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "algorithms/schedule/text.hpp"

namespace isthmus {
namespace {

std::vector<Slice> all(const Segments& segments) {
  std::vector<Slice> list;
  for (const Slice slice : segments) list.push_back(slice);
  return list;
}

TEST(Slices, OverlapWhenTheyShareAnElementOfOneBuffer) {
  EXPECT_TRUE(overlap(output(0, 5), output(4, 1)));
  EXPECT_FALSE(overlap(output(0, 5), output(5, 1)));
  EXPECT_FALSE(overlap(output(0, 5), input(0, 5)));
  EXPECT_FALSE(overlap(output(2, 0), output(0, 5)));
  EXPECT_FALSE(overlap(output(0, 5), output(2, 0)));
  EXPECT_TRUE(overlap(output(2, 1), output(0, 5)));
}

TEST(Slices, SplitIntoSegmentsThatCoverThemInOrder) {
  for (std::int64_t count = 0; count <= 20; ++count)
    for (std::int64_t segment = -1; segment <= 21; ++segment) {
      const Segments segments = split(output(3, count), segment);
      const auto list = all(segments);
      ASSERT_EQ(static_cast<std::int64_t>(list.size()), segments.size());
      std::int64_t at = 3;
      for (const Slice& slice : list) {
        EXPECT_EQ(slice.offset, at);
        EXPECT_GT(slice.count, 0);
        if (segment > 0) {
          EXPECT_LE(slice.count, segment);
          EXPECT_TRUE(slice.count == segment || slice.end() == 3 + count);
        }
        at = slice.end();
      }
      EXPECT_EQ(at, 3 + count);
    }
}

TEST(Slices, UnsegmentedIsOneSegment) {
  EXPECT_THAT(all(split(output(0, 9), 0)), ::testing::ElementsAre(output(0, 9)));
  EXPECT_TRUE(all(split(output(0, 0), 0)).empty());
}

TEST(Slices, DivideIntoBlocksThatDifferByOneElementAtMost) {
  for (std::int64_t count = 0; count <= 20; ++count)
    for (int parts = 1; parts <= 22; ++parts) {
      std::int64_t at = 7;
      for (int index = 0; index < parts; ++index) {
        const Slice part = block(input(7, count), index, parts);
        EXPECT_EQ(part.offset, at);
        EXPECT_GE(part.count, count / parts);
        EXPECT_LE(part.count, count / parts + 1);
        at = part.end();
      }
      EXPECT_EQ(at, 7 + count);
    }
}

TEST(Slices, AreShownWithTheirBounds) {
  EXPECT_EQ(to_string(output(3, 4)), "output[3..7)");
  EXPECT_EQ(to_string(Slice{Buffer::scratch, 0, 1}), "scratch[0..1)");
  EXPECT_EQ(to_string(input(0, 0)), "input[0..0)");
}

}  // namespace
}  // namespace isthmus
