#include "algorithms/json/json_reader.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "tests/support/refusal.hpp"

namespace isthmus {
namespace {

using nlohmann::json;

using Take = std::function<void(const JsonReader&)>;

std::string refusal_of(const std::string& text, const Take& take) {
  const JsonDocument document(text, "f.json", "a thing is needed");
  return tests::refusal_of([&] { take(document.whole()); });
}

std::string refusal_of(const json& value, const Take& take) { return refusal_of(value.dump(), take); }

TEST(JsonReader, SaysFileLinePointerWhatItIsAndWhatWouldBeRight) {
  const std::string text = "{\"a\": [1,\n {\"b\":\n  -2}]}";
  EXPECT_EQ(refusal_of(text, [](const JsonReader& r) { r.at("a").at(1).at("b").number_from(0); }),
            "f.json:3: /a/1/b: is -2; a number from 0 on would be right");
  EXPECT_EQ(refusal_of(text, [](const JsonReader& r) { r.at("a").text(); }),
            R"(f.json:1: /a: is [1,{"b":-2}]; a text in quotes would be right)");
  EXPECT_EQ(refusal_of(text, [](const JsonReader& r) { r.at("a").at(1).at("c").name(); }),
            "f.json:2: /a/1/c: is missing; a text in quotes would be right");
  EXPECT_EQ(refusal_of(text, [](const JsonReader& r) { r.at("c").at("d").value(); }),
            "f.json:1: /c: is missing; an object would be right");
  EXPECT_EQ(refusal_of(text, [](const JsonReader& r) { r.at(0); }),
            R"(f.json:1: is {"a":[1,{"b":-2}]}; a list of 1 or more would be right)");
}

TEST(JsonReader, HasNoLineWhereThereIsNoText) {
  const json value{{"a", 1.5}};
  try {
    JsonReader(value, "record").at("a").integer(0, 7);
    ADD_FAILURE() << "accepted";
  } catch (const BadInput& error) {
    EXPECT_STREQ(error.what(), "record: /a: is 1.5; a whole number from 0 to 7 would be right");
  }
}

TEST(JsonReader, NamesTheKeyThatIsNoneAndTheNearOne) {
  const auto only_loss = [](const JsonReader& r) { r.expect_keys({"loss", "rate"}); };
  EXPECT_EQ(refusal_of(json{{"loss", 1}}, only_loss), "accepted");
  EXPECT_THAT(refusal_of(json{{"los", 1}}, only_loss),
              testing::HasSubstr("f.json:1: /los: is no key here; did you mean `loss`?"));
  EXPECT_EQ(refusal_of(json::array(), only_loss), "f.json:1: is []; an object would be right");
}

TEST(JsonReader, IsOneShortLineWhateverIsInIt) {
  const std::string key = std::string(1000, 'k') + "\n\x1b[2J";
  const std::string said = refusal_of(json{{key, 1}}, [](const JsonReader& r) { r.expect_keys({"a"}); });
  EXPECT_LT(said.size(), 400U);
  EXPECT_EQ(said.find_first_of("\n\x1b"), std::string::npos);
  EXPECT_LT(refusal_of(json(std::string(100000, 'x')), [](const JsonReader& r) { r.number(); }).size(), 200U);
}

TEST(JsonReader, TakesValuesOfTheirKindAlone) {
  const std::pair<Take, std::vector<const char*>> refused[] = {
      {[](const JsonReader& r) { r.text(); }, {"1", "null", "[]"}},
      {[](const JsonReader& r) { r.name(); }, {"\"\"", "1"}},
      {[](const JsonReader& r) { r.boolean(); }, {"1", "\"true\""}},
      {[](const JsonReader& r) { r.number(); }, {"\"1\"", "null", "true"}},
      {[](const JsonReader& r) { r.number_above_0(); }, {"0", "-1", "\"1\""}},
      {[](const JsonReader& r) { r.number_from(0); }, {"-0.5", "[]"}},
      {[](const JsonReader& r) { r.number_from(0, 1); }, {"-0.5", "1.5"}},
      {[](const JsonReader& r) { r.integer(0, 7); },
       {"8", "-1", "1.5", "1e300", "18446744073709551615", "\"7\"", "[]", "null"}},
      {[](const JsonReader& r) { r.unsigned_integer(); }, {"-1", "1.5", "\"1\""}},
      {[](const JsonReader& r) { r.elements(1); }, {"{}", "[]", "1"}},
      {[](const JsonReader& r) { r.names(); }, {"[]", "[\"\"]", "[\"a\", 1]", "\"a\""}},
      {[](const JsonReader& r) { r.integers(0, 3); }, {"[4]", "[0, -1]", "3"}},
      {[](const JsonReader& r) { r.at("a").value(); }, {"{}", "[]", "1"}}};
  for (const auto& [take, texts] : refused)
    for (const char* text : texts) EXPECT_THAT(refusal_of(std::string(text), take), testing::StartsWith("f.json:1: "));
  const json right{{"text", ""}, {"number", -1.5}, {"list", {0, 3}}, {"big", 18446744073709551615ULL}};
  const JsonReader reader(right, "here");
  EXPECT_EQ(reader.at("text").text(), "");
  EXPECT_EQ(reader.at("number").number(), -1.5);
  EXPECT_EQ(reader.at("list").integers(0, 3), (std::vector<int>{0, 3}));
  EXPECT_EQ(reader.at("big").unsigned_integer(), 18446744073709551615ULL);
  EXPECT_FALSE(reader.find("absent"));
  EXPECT_FALSE(reader.find_below("/text/deeper"));
  EXPECT_EQ(reader.integer_or("absent", 5, 0, 7), 5);
  EXPECT_TRUE(reader.elements_or_none("absent").empty());
}

TEST(JsonReader, GivesErrorsOfParsersItsPlace) {
  const auto parse = [](const std::string& text) -> int { throw BadInput("`" + text + "` is nothing"); };
  EXPECT_EQ(refusal_of(json{{"a", "x"}}, [&](const JsonReader& r) { r.at("a").name_as(parse); }),
            "f.json:1: /a: `x` is nothing");
}

}  // namespace
}  // namespace isthmus
