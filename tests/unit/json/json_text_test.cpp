#include "algorithms/json/json_text.hpp"

#include <gmock/gmock.h>

#include "algorithms/errors.hpp"
#include "tests/support/refusal.hpp"

namespace isthmus {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string json_refusal(const std::string& text) {
  return tests::refusal_of([&] { parse_json(text, "f.json", "a thing is needed"); });
}

std::string nested(int levels, const std::string& open, const std::string& close) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += open;
  text += "1";
  for (int i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(JsonText, IsReadUpToAHundredLevels) {
  EXPECT_EQ(json_refusal(nested(max_json_levels, "[", "]")), "accepted");
  EXPECT_EQ(json_refusal(nested(max_json_levels, "{\"a\":", "}")), "accepted");
  for (const int levels : {max_json_levels + 1, 100000, 10000000}) {
    EXPECT_EQ(json_refusal("\n" + nested(levels, "[", "]")),
              "f.json:2: JSON of more than 100 levels, lists and objects in each other; a thing is needed");
  }
  EXPECT_THAT(json_refusal(nested(100000, "{\"a\":", "}")), HasSubstr("levels"));
  EXPECT_THAT(json_refusal(std::string(100000, '[')), HasSubstr("levels"));
}

TEST(JsonText, CountsNoBracketsInStrings) {
  EXPECT_EQ(json_refusal("[\"" + std::string(1000, '[') + "\", \"\\\"" + std::string(1000, '{') + "\"]"), "accepted");
}

TEST(JsonText, IsRefusedWithItsLine) {
  EXPECT_THAT(json_refusal("{\n\"a\": 1,\n\"b\" 2}"),
              AllOf(StartsWith("f.json:3: is not JSON: syntax error"), EndsWith("; a thing is needed")));
  EXPECT_THAT(json_refusal(""), StartsWith("f.json:1: is not JSON"));
  EXPECT_THAT(json_refusal("[1e999]"), AllOf(StartsWith("f.json:1: is not JSON"), HasSubstr("overflow")));
  EXPECT_THAT(json_refusal("[\"\xff\"]"), StartsWith("f.json:1: is not JSON"));
  EXPECT_LT(json_refusal("[" + std::string(100000, '1') + "x").size(), 400);
}

TEST(JsonText, GivesEveryKeyOnce) {
  EXPECT_EQ(json_refusal(R"({"a": {"b": 1}, "c": {"b": 1}})"), "accepted");
  EXPECT_EQ(json_refusal(R"({"a": 1, "a": 2})"), "f.json:1: a: is given twice; once would be right");
  EXPECT_EQ(json_refusal("{\"a\": \"b: \\\"\",\n \"c\": {\"a\": [\"a\"]},\n\n \"\\u0061\" : 2}"),
            "f.json:4: a: is given twice; once would be right");
}

TEST(AValueInAMessage, IsCut) {
  EXPECT_EQ(excerpt_of(nlohmann::json{1, "two"}), R"([1,"two"])");
  EXPECT_EQ(excerpt_of(nlohmann::json(std::string(1000, 'x'))).size(), 64);
}

}  // namespace
}  // namespace isthmus
