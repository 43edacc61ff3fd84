#include "validation/text/tables.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "algorithms/errors.hpp"
#include "algorithms/text/parts.hpp"
#include "validation/text/plan_comparison.hpp"
#include "validation/text/text_table.hpp"
#include "validation/text/units.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Units, AreThosePeopleUse) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1500), "1500 B");
  EXPECT_EQ(format_bytes(65536), "64 KiB");
  EXPECT_EQ(format_bytes(4194304), "4 MiB");
  EXPECT_EQ(format_seconds(20e-6), "20 us");
  EXPECT_EQ(format_seconds(0.01002), "10 ms");
  EXPECT_EQ(format_seconds(0.9999), "1 s");
  EXPECT_EQ(format_rate(1e6), "1 MB/s");
  EXPECT_EQ(format_rate(1.25e9), "1.25 GB/s");
  EXPECT_EQ(format_rate(std::numeric_limits<double>::infinity()), "unlimited");
  EXPECT_EQ(format_milliseconds(13.2704), "13270");
  EXPECT_EQ(format_milliseconds(0.0103), "10.30");
  EXPECT_EQ(format_off(0), "0");
  EXPECT_EQ(format_off(-0.00412), "0.41");
  EXPECT_EQ(format_off(0.994), "99");
  EXPECT_EQ(format_off(0.996), "100");
  EXPECT_EQ(format_off(12.34), "1234");
  EXPECT_EQ(format_percent(0.031), "+3.1");
  EXPECT_EQ(format_percent(-0.0004), "-0.04");
  EXPECT_EQ(format_percent(1e-9), "0.00");
}

TEST(Sizes, AreListsAndDoublingRanges) {
  EXPECT_THAT(parse_sizes("1,64Ki"), ElementsAre(1, 65536));
  EXPECT_THAT(parse_sizes("1..8"), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(parse_sizes("3..10"), ElementsAre(3, 6, 10));
  EXPECT_THAT(parse_sizes("0,4..8,2,4"), ElementsAre(0, 2, 4, 8));
  EXPECT_EQ(parse_sizes("1..4Mi").size(), 23u);
  EXPECT_THAT(parse_sizes("4611686018427387904..9223372036854775807"), ElementsAre(INT64_C(1) << 62, INT64_MAX));
  EXPECT_THROW(parse_sizes(""), BadInput);
  EXPECT_THROW(parse_sizes("1,,2"), BadInput);
  EXPECT_THROW(parse_sizes("0..8"), BadInput);
  EXPECT_THAT([] { parse_sizes("8..1"); }, testing::ThrowsMessage<BadInput>(HasSubstr("the smaller first")));
}

TEST(TextTable, AlignsColumnsAndLeavesNoBlanksBehind) {
  TextTable table({{"name", "", Align::left}, {"time", "ms"}});
  table.add({std::string("a"), std::string("1.25")});
  table.gap();
  table.add({std::string("größer"), std::string()});
  EXPECT_EQ(table.text(false),
            "name    time\n"
            "          ms\n"
            "a       1.25\n"
            "\n"
            "größer     -\n");
}

TEST(TextTable, AlignsCharactersThatAreTwoColumnsWide) {
  TextTable table({{"link", "", Align::left}, {"ms", ""}});
  table.add({std::string("東京-to-大阪"), std::string("1")});
  table.add({std::string("a-to-b"), std::string("2")});
  EXPECT_EQ(table.text(false),
            "link          ms\n"
            "東京-to-大阪   1\n"
            "a-to-b         2\n");
  TextTable names({{"names", "", Align::left}});
  names.add({std::string("東京,大阪,名古屋,京都")});
  EXPECT_EQ(names.text(false, 16),
            "names\n"
            "東京,大阪,\n"
            "  名古屋,京都\n");
}

TEST(TextTable, BreaksItsWidestColumnOfTextToFit) {
  TextTable table({{"plan", "", Align::left}, {"time", "ms"}});
  table.add({std::string("multilevel:segment=64Ki,levels=linear/binomial"), std::string("1.25")});
  table.add({std::string("ring"), std::string("10.5")});
  EXPECT_EQ(table.text(false, 40),
            "plan                                time\n"
            "                                      ms\n"
            "multilevel:segment=64Ki,            1.25\n"
            "  levels=linear/binomial\n"
            "ring                                10.5\n");
  EXPECT_EQ(table.text(false, 80), table.text(false));
}

TEST(TextTable, UsesColourOnlyWhereItMay) {
  TextTable table({{"time", "ms"}, {"error", "%"}});
  table.add({std::string("1"), TextTable::Cell("+9.0", true)});
  EXPECT_THAT(table.text(true), HasSubstr("\x1b[31m+9.0\x1b[0m"));
  EXPECT_THAT(table.text(false), testing::Not(HasSubstr("\x1b")));
}

TEST(TextTable, MarksAlarmingCellsByAStarWithAndWithoutColour) {
  TextTable table({{"name", "", Align::left}, {"error", "%"}, {"of", "", Align::left}});
  table.add({std::string("a"), TextTable::Cell("+90.05", true), TextTable::Cell("one:two", true)});
  table.add({std::string("b"), std::string("+1.0"), std::string("three")});
  table.add({std::string("c"), TextTable::Cell("", true), std::string()});
  EXPECT_TRUE(table.has_alarming());
  EXPECT_EQ(table.text(false),
            "name    error  of\n"
            "            %\n"
            "a     +90.05*  one:two*\n"
            "b       +1.0   three\n"
            "c          -   -\n");
  EXPECT_THAT(table.text(true), HasSubstr("\x1b[31m+90.05\x1b[0m*  \x1b[31mone:two\x1b[0m*\n"));

  TextTable unmarked({TextTable::Column{"error", "%"}});
  unmarked.add({TextTable::Cell("", true)});
  EXPECT_FALSE(unmarked.has_alarming());
}

TEST(TextTable, BreaksAColumnWithStarsToFit) {
  TextTable table({{"plan", "", Align::left}, {"time", "ms"}});
  table.add({TextTable::Cell("multilevel:segment=64Ki,levels=linear/binomial", true), std::string("1.25")});
  for (const std::size_t width : {30U, 40U, 50U}) {
    const std::string text = table.text(false, width);
    for (const std::string_view line : parts_of(text, '\n')) EXPECT_LE(line.size(), width);
    EXPECT_THAT(text, HasSubstr("*"));
  }
}

Record record_of(Source source, const char* algorithm, std::int64_t bytes, double seconds) {
  Record record;
  record.source = source;
  record.platform = "das-4x4";
  record.collective = "broadcast";
  record.algorithm = record.plan = record.requested = algorithm;
  record.bytes = bytes;
  record.ranks = 16;
  record.seconds = seconds;
  record.bound_seconds = 0.01;
  record.statistic = "max_over_ranks";
  return record;
}

TEST(RecordTable, SaysThatLogPTakesNoNoticeOfLength) {
  const std::vector<Record> records = {record_of(Source::logp, "binomial", 64, 0.001),
                                       record_of(Source::replay, "binomial", 64, 0.02)};
  EXPECT_THAT(record_table(records, false), HasSubstr("logp (length ignored)"));
  EXPECT_THAT(comparison_table(compare(records), false, {}), HasSubstr("logp (length ignored)"));
  EXPECT_THAT(csv_line(records[0]), testing::StartsWith("logp,")) << "for programs the name stays";
}

TEST(RecordTable, HasAColumnOfPricesWhereThereAreAny) {
  std::vector<Record> records = {record_of(Source::replay, "binomial", 64, 0.001),
                                 record_of(Source::replay, "magpie", 64, 0.02)};
  EXPECT_THAT(record_table(records, false), testing::Not(HasSubstr("price")));
  records[1].extra["price"] = 0.00037748736;
  EXPECT_THAT(record_table(records, false), testing::AllOf(HasSubstr("price"), HasSubstr("0.0003775")));
}

TEST(RecordTable, HasWhatIsTheSameForAllInItsHeading) {
  std::vector<Record> records = {record_of(Source::replay, "binomial", 64, 0.0125),
                                 record_of(Source::replay, "magpie", 64, 0.02)};
  EXPECT_EQ(record_table(records, false),
            "broadcast of 64 B on das-4x4, 16 ranks, root 0, lower bound 10.00 ms, by replay\n"
            "algorithm   time  time/bound\n"
            "              ms\n"
            "binomial   12.50        1.25\n"
            "magpie     20.00        2.00\n");
  records[1].settings["set"] = {"wan.latency=x2"};
  records[1].bytes = 8;
  EXPECT_THAT(record_table(records, false),
              testing::AllOf(HasSubstr("das-4x4 with wan.latency=x2"), HasSubstr("64 B"), HasSubstr(" 8 B")));
}

TEST(RecordTable, HasLeastMedianAndIntervalOfRepetitions) {
  std::vector<Record> records = {record_of(Source::smpi, "binomial", 64, 0.0125)};
  records[0].extra["repetition_seconds"] = {0.0121, 0.0125, 0.0131};
  EXPECT_EQ(record_table(records, false),
            "broadcast/binomial of 64 B on das-4x4, 16 ranks, root 0, by smpi\n"
            "least  median    +-  bound  time/bound\n"
            "   ms      ms    ms     ms\n"
            "12.10   12.50  0.50  10.00        1.25\n");
}

TEST(RecordTable, IsSizesAndMicrosecondsForOsu) {
  const std::vector<Record> records = {record_of(Source::replay, "binomial", 64, 0.0125),
                                       record_of(Source::replay, "binomial", 128, 0.02)};
  EXPECT_EQ(record_osu(records),
            "# broadcast/binomial on das-4x4, 16 ranks, root 0, by replay\n"
            "# Size                   Avg Latency(us)\n"
            "64                              12500.00\n"
            "128                             20000.00\n");
}

TEST(PlanComparison, HasSpeedUpsOverTheBaselineAndTheBound) {
  const std::vector<Record> records = {
      record_of(Source::emulated, "magpie", 64, 0.0125), record_of(Source::emulated, "mpi", 64, 0.025),
      record_of(Source::emulated, "magpie", 128, 0.02), record_of(Source::emulated, "mpi", 128, 0.16)};
  EXPECT_EQ(plan_comparison(records, "mpi", {}),
            "broadcast on das-4x4, 16 ranks, root 0, by emulated\n"
            "\n"
            "bytes  plan          time  x bound  speed-up\n"
            "                       ms           over mpi\n"
            " 64 B  magpie       12.50     1.25      2.00\n"
            " 64 B  mpi          25.00     2.50         -\n"
            " 64 B  lower bound  10.00     1.00         -\n"
            "\n"
            "128 B  magpie       20.00     2.00      8.00\n"
            "128 B  mpi          160.0     16.0         -\n"
            "128 B  lower bound  10.00     1.00         -\n"
            "magpie is 4.00 times faster than mpi in the geometric mean of 2 sizes.\n");
}

TEST(PlanComparison, SaysWhichPlanIsSlowerAndWhichIsAsFast) {
  const std::vector<Record> records = {record_of(Source::emulated, "magpie", 64, 0.02501),
                                       record_of(Source::emulated, "ring", 64, 0.05),
                                       record_of(Source::emulated, "mpi", 64, 0.025)};
  EXPECT_THAT(
      plan_comparison(records, "mpi", {}),
      testing::AllOf(HasSubstr("\nmagpie is as fast as mpi.\n"), HasSubstr("\nring is 2.00 times slower than mpi.\n")));
}

TEST(Comparison, PutsSourcesOfOnePointIntoOneRow) {
  const std::vector<Record> records = {
      record_of(Source::replay, "magpie", 64, 0.0309),  record_of(Source::replay, "binomial", 64, 0.02),
      record_of(Source::replay, "magpie", 1, 0.0300),   record_of(Source::emulated, "magpie", 64, 0.03),
      record_of(Source::emulated, "magpie", 1, 0.0303),
  };
  const Comparison comparison = compare(records);
  ASSERT_EQ(comparison.rows.size(), 3u);
  EXPECT_THAT(comparison.sources, ElementsAre(Source::replay, Source::emulated));
  EXPECT_EQ(comparison.rows[0].bytes, 1);
  EXPECT_EQ(comparison.rows[1].algorithm, "magpie");
  EXPECT_NEAR(comparison.rows[1].error(Source::replay, Source::emulated).value(), 0.03, 1e-12);
  EXPECT_NEAR(comparison.rows[1].over_bound(Source::emulated).value(), 3, 1e-12);
  EXPECT_EQ(comparison.rows[2].algorithm, "binomial");
  EXPECT_FALSE(comparison.rows[2].error(Source::replay, Source::emulated));
}

TEST(Comparison, MeasuresAgainstTheLastSourceWhereTheReferenceIsAbsent) {
  const std::vector<Record> records = {record_of(Source::plogp, "magpie", 64, 1),
                                       record_of(Source::smpi, "magpie", 64, 2)};
  EXPECT_EQ(compare(records, Source::emulated).reference, Source::smpi);
}

TEST(ComparisonTable, ShowsTimesErrorsAndTheDistanceToTheBound) {
  const std::vector<Record> records = {record_of(Source::replay, "magpie", 65536, 0.0309),
                                       record_of(Source::emulated, "magpie", 65536, 0.03),
                                       record_of(Source::replay, "binomial", 65536, 0.02)};
  EXPECT_EQ(comparison_table(compare(records), false),
            "broadcast on das-4x4, 16 ranks, root 0; errors against emulated\n"
            "\n"
            "algorithm   bytes  replay  error  emulated  bound  emulated/bound\n"
            "                       ms      %        ms     ms\n"
            "magpie     64 KiB   30.90   +3.0     30.00  10.00            3.00\n"
            "\n"
            "binomial   64 KiB   20.00      -         -  10.00               -\n");
}

TEST(ComparisonTable, ShowsRivalsSizeBySizeTheQuickestFirst) {
  std::vector<Record> records = {
      record_of(Source::replay, "magpie", 65536, 0.0309), record_of(Source::emulated, "magpie", 65536, 0.03),
      record_of(Source::emulated, "magpie", 1024, 0.02),  record_of(Source::emulated, "auto", 65536, 0.0125),
      record_of(Source::emulated, "auto", 1024, 0.02),    record_of(Source::emulated, "kielmann", 65536, 0.015),
      record_of(Source::replay, "binomial", 1024, 0.001)};
  records[3].plan = "multipath:segment=8Ki";
  records[5].plan = "kielmann:segment=4Ki";
  const auto missed = [](const ComparisonRow& row, Source source) {
    return row.algorithm == "magpie" && source == Source::replay;
  };
  const Comparison comparison = compare(records);
  EXPECT_EQ(comparison_table(comparison, false, missed, true),
            "broadcast on das-4x4, 16 ranks, root 0; quickest by emulated first\n"
            "\n"
            " bytes  algorithm  replay  emulated  bound  emulated/bound  chosen\n"
            "                       ms        ms     ms\n"
            " 1 KiB  magpie         -      20.00  10.00            2.00  -\n"
            " 1 KiB  auto           -      20.00  10.00            2.00  -\n"
            " 1 KiB  binomial   1.000          -  10.00               -  -\n"
            "\n"
            "64 KiB  auto           -      12.50  10.00            1.25  multipath:segment=8Ki\n"
            "64 KiB  kielmann       -      15.00  10.00            1.50  segment=4Ki\n"
            "64 KiB  magpie     30.90*     30.00  10.00            3.00  -\n"
            "* out of tolerance\n");
  EXPECT_THAT(comparison_table(comparison, true, missed, true), HasSubstr("\x1b[31m30.90\x1b[0m"));
}

TEST(Csv, QuotesWhatWouldBreakALine) {
  Record record = record_of(Source::replay, "kielmann", 1, 0.5);
  record.platform = "a \"big\", wide one";
  record.plan = "kielmann:wan-degree=3,lan-degree=2";
  const std::string text = record_csv({&record, 1});
  EXPECT_THAT(text, testing::StartsWith("source,platform,collective,algorithm,bytes,"));
  EXPECT_THAT(text, HasSubstr("replay,\"a \"\"big\"\", wide one\",broadcast,kielmann,1,,16,0,0.5,0.01,1,"));
  EXPECT_THAT(text, HasSubstr("\"kielmann:wan-degree=3,lan-degree=2\""));
}

TEST(Json, IsOneRecordALine) {
  const std::vector<Record> records = {record_of(Source::replay, "magpie", 64, 1),
                                       record_of(Source::smpi, "magpie", 64, 2)};
  const std::string text = format_records(records, Format::json, false);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(record_from_json(nlohmann::json::parse(text.substr(0, text.find('\n')))).seconds, 1);
}

}  // namespace
}  // namespace isthmus
