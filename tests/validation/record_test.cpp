#include "validation/records/record.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "algorithms/errors.hpp"
#include "algorithms/text/digest.hpp"
#include "validation/records/fields.hpp"
#include "validation/text/tables.hpp"

namespace isthmus {
namespace {

using ::testing::HasSubstr;

Record whole_record() {
  Record record;
  record.source = Source::smpi;
  record.platform = "das-4x16";
  record.collective = "broadcast";
  record.algorithm = "kielmann";
  record.bytes = 4194304;
  record.segment_bytes = 65536;
  record.ranks = 64;
  record.root = 3;
  record.seconds = 1.5;
  record.bound_seconds = 1.41;
  record.repetitions = 2;
  record.statistic = "max_over_ranks_median";
  record.plan = "kielmann:segment=64Ki,wan-degree=3";
  record.requested = "kielmann";
  record.placement = "1-64";
  record.network_digest = "0123456789abcdef";
  record.settings = {{"queueing", "fifo"}};
  record.extra = {{"repetition_seconds", {1.5, 1.5}}, {"simgrid", "3.32"}};
  return record;
}

TEST(Record, ReadsBackWhatItWrote) {
  const Record before = whole_record();
  const Record after = record_from_json(nlohmann::json::parse(to_json(before).dump()));
  EXPECT_EQ(to_json(after), to_json(before));
  EXPECT_EQ(after.extra, before.extra);
  EXPECT_EQ(identity(after), identity(before));
}

TEST(RecordFields, AreReadBackOneByOne) {
  const Record full = whole_record();
  const Record empty;
  for (const RecordField& field : record_fields()) {
    for (const Record* before : {&full, &empty}) {
      const nlohmann::ordered_json json = to_json(*before);
      const Record after = record_from_json(nlohmann::json::parse(json.dump()));
      EXPECT_EQ(value_of(after, field), value_of(*before, field)) << field.name;
      EXPECT_EQ(json.at(std::string(field.name)), value_of(*before, field)) << field.name;
    }
    EXPECT_FALSE(value_of(full, field).is_null()) << field.name << " is part of whole_record()";
    EXPECT_EQ(value_of(empty, field).is_null(), field.may_be_unknown) << field.name;
    nlohmann::json without = nlohmann::json::parse(to_json(full).dump());
    without.erase(std::string(field.name));
    EXPECT_THAT([&] { record_from_json(without); },
                testing::ThrowsMessage<BadInput>(HasSubstr(fmt::format("/{}: is missing", field.name))));
  }
}

TEST(RecordFields, StandInJsonAndCsvInTheirOrder) {
  const nlohmann::ordered_json json = to_json(whole_record());
  const std::string head = csv_head() + ",";
  auto key = json.begin();
  std::size_t at = 0;
  for (const RecordField& field : record_fields()) {
    EXPECT_EQ((key++).key(), field.name);
    if (!field.in_csv) continue;
    EXPECT_EQ(head.substr(at, head.find(',', at) - at), field.name);
    at = head.find(',', at) + 1;
  }
  EXPECT_EQ(head.substr(at), "messages,message_bytes,");
}

TEST(RecordFields, AreFollowedInCsvByTheCountsOfMessages) {
  Record record = whole_record();
  EXPECT_TRUE(csv_line(record).ends_with(",,")) << "unknown";
  record.extra["messages"] = 63;
  record.extra["message_bytes"] = 264241152;
  EXPECT_TRUE(csv_line(record).ends_with(",63,264241152"));
}

TEST(RecordFields, TellPointsApartAsTheirPartsSay) {
  const auto keys = [](const std::string& text) {
    std::set<std::string> names;
    const nlohmann::json parsed = nlohmann::json::parse(text);
    for (const auto& [key, value] : parsed.items()) names.insert(key);
    return names;
  };
  std::set<std::string> of_identity, of_question;
  for (const RecordField& field : record_fields()) {
    const std::string key(field.key.empty() ? field.name : field.key);
    if (field.part != KeyPart::none) of_identity.insert(key);
    if (field.part == KeyPart::question) of_question.insert(key);
  }
  EXPECT_EQ(keys(identity(whole_record())), of_identity);
  EXPECT_EQ(keys(question(whole_record())), of_question);
  EXPECT_EQ(identity(whole_record()),
            R"({"bytes":4194304,"collective":"broadcast","element_bytes":1,"network":"0123456789abcdef",)"
            R"("placement":"1-64","plan":"kielmann:segment=64Ki,wan-degree=3","platform":"das-4x16","ranks":64,)"
            R"("repetitions":2,"requested":"kielmann","root":3,"settings":{"queueing":"fifo"},"source":"smpi"})")
      << "the text by which records lie in stores that people keep";
}

TEST(Record, BeginsWithTheFieldsOfTheRecordFormatInTheirOrder) {
  Record record = whole_record();
  record.segment_bytes.reset();
  EXPECT_THAT(to_json(record).dump(),
              testing::StartsWith(R"({"source":"smpi","platform":"das-4x16","collective":"broadcast",)"
                                  R"("algorithm":"kielmann","bytes":4194304,"segment_bytes":null,"ranks":64,"root":3,)"
                                  R"("seconds":1.5,"bound_seconds":1.41,"repetitions":2,)"
                                  R"("statistic":"max_over_ranks_median")"));
}

TEST(Record, IsTheSamePointWhateverItsSecondsAndProvenance) {
  Record other = whole_record();
  other.seconds = 2;
  other.bound_seconds = 0;
  other.extra = {{"simgrid", "3.36"}};
  EXPECT_EQ(identity(other), identity(whole_record()));
}

TEST(Record, IsAnotherPointWhenAnythingThatWasAskedDiffers) {
  const std::pair<const char*, std::function<void(Record&)>> changes[] = {
      {"source", [](Record& r) { r.source = Source::replay; }},
      {"platform", [](Record& r) { r.platform = "das-4x4"; }},
      {"network", [](Record& r) { r.network_digest = "fedcba9876543210"; }},
      {"plan", [](Record& r) { r.plan = "kielmann:segment=32Ki"; }},
      {"requested", [](Record& r) { r.requested = "kielmann:segment=64Ki"; }},
      {"bytes", [](Record& r) { r.bytes = 1; }},
      {"element", [](Record& r) { r.element_bytes = 8; }},
      {"ranks", [](Record& r) { r.ranks = 63; }},
      {"root", [](Record& r) { r.root = 0; }},
      {"placement", [](Record& r) { r.placement = "1x64"; }},
      {"repetitions", [](Record& r) { r.repetitions = 3; }},
      {"settings", [](Record& r) { r.settings["queueing"] = "fluid"; }},
  };
  for (const auto& [what, change] : changes) {
    Record other = whole_record();
    change(other);
    EXPECT_NE(identity(other), identity(whole_record())) << what;
  }
}

TEST(Record, IsRefusedWithTheKeyThatIsWrong) {
  nlohmann::json json = nlohmann::json::parse(to_json(whole_record()).dump());
  json.erase("ranks");
  EXPECT_THAT([&] { record_from_json(json); },
              testing::ThrowsMessage<BadInput>(HasSubstr("record: /ranks: is missing")));
  json["ranks"] = "many";
  EXPECT_THAT([&] { record_from_json(json); },
              testing::ThrowsMessage<BadInput>(HasSubstr("record: /ranks: is \"many\"; a whole number")));
  json["ranks"] = 64;
  json["source"] = "dream";
  EXPECT_THAT([&] { record_from_json(json); },
              testing::ThrowsMessage<BadInput>(HasSubstr("plogp, replay, smpi, emulated")));
}

TEST(Placement, IsWrittenAsRunsOfHosts) {
  EXPECT_EQ(placement_text({}), "");
  EXPECT_EQ(placement_text({3}), "3");
  EXPECT_EQ(placement_text({1, 2, 3, 4, 6, 7}), "1-4,6-7");
  EXPECT_EQ(placement_text({1, 1, 2, 2, 2}), "1x2,2x3");
  EXPECT_EQ(placement_text({1, 2, 3, 3, 4}), "1-2,3x2,4");
  EXPECT_EQ(placement_text({1, 5, 1, 5}), "1,5,1,5");
}

TEST(Placement, IsADigestWhereItWouldBeLong) {
  std::vector<int> hosts, others;
  for (int i = 0; i < 100; ++i) {
    hosts.push_back(i % 2 * 50);
    others.push_back(i % 2 * 51);
  }
  EXPECT_THAT(placement_text(hosts), testing::StartsWith("digest "));
  EXPECT_NE(placement_text(hosts), placement_text(others));
}

}  // namespace
}  // namespace isthmus
