#include "algorithms/text/digest.hpp"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

TEST(ADigest, IsTheFnv1aOfItsText) {
  EXPECT_EQ(digest(""), "cbf29ce484222325");   // the offset basis
  EXPECT_EQ(digest("a"), "af63dc4c8601ec8c");  // test vector of the function's authors
}

TEST(ADigest, TakesTextsAndNumbersPieceByPiece) {
  Digest pieces;
  pieces.add("ab");
  pieces.add(0x0807060504030201);
  pieces.add(std::int64_t{-1});
  EXPECT_EQ(pieces.text(), digest("ab\1\2\3\4\5\6\7\10\xff\xff\xff\xff\xff\xff\xff\xff"));
}

}  // namespace
}  // namespace isthmus
