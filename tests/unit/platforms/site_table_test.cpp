#include "platforms/wide_area/site_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "tests/support/text_file.hpp"

namespace isthmus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SiteTable table_from(const std::string& text, Quantity quantity = Quantity::latency, bool symmetric = false) {
  const tests::TextFile file("t.csv", text);
  return read_site_table(file.path(), quantity, symmetric);
}

std::string table_refusal(const std::string& text, Quantity quantity = Quantity::latency, bool symmetric = false) {
  try {
    table_from(text, quantity, symmetric);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ATableOfSites, IsReadAsASquareOrByPairs) {
  for (const char* text :
       {"latency_ms,a,b\na,,10\nb,20,\n", "# of the day\r\n\r\nlatency_ms, a, b\r\nb,20,0\r\na,0,10\r\n",
        "source,destination,latency_ms\na,b,10\nb,a,20\n", "\xef\xbb\xbflatency_ms,a,b\na,,10\nb,20,"}) {
    const SiteTable table = table_from(text);
    EXPECT_THAT(table.sites, testing::UnorderedElementsAre("a", "b")) << text;
    const std::size_t a = table.sites[0] == "a" ? 0 : 1;
    EXPECT_EQ(table.at(a, 1 - a), 0.010) << text;
    EXPECT_EQ(table.at(1 - a, a), 0.020) << text;
  }
}

TEST(ATableOfSites, HasItsUnitInTheHeader) {
  struct {
    const char* header;
    Quantity quantity;
    double of_one;
  } const units[] = {{"latency_s", Quantity::latency, 1},
                     {"latency_us", Quantity::latency, 1e-6},
                     {"rtt_ms", Quantity::latency, 0.5e-3},
                     {"throughput_gbps", Quantity::bandwidth, 125e6},
                     {"throughput_Mbps", Quantity::bandwidth, 125e3},
                     {"bandwidth_MBps", Quantity::bandwidth, 1e6},
                     {"bandwidth_Bps", Quantity::bandwidth, 1},
                     {"price_per_GB", Quantity::price, 1},
                     {"price_per_TB", Quantity::price, 1e-3}};
  for (const auto& unit : units) {
    const SiteTable table = table_from(std::string(unit.header) + ",a,b\na,,1\nb,1,\n", unit.quantity);
    EXPECT_EQ(table.at(0, 1), unit.of_one) << unit.header;
  }
  EXPECT_THAT(table_refusal("milliseconds,a,b\na,,1\nb,1,\n"), HasSubstr("t.csv:1: the header has `milliseconds`"));
  EXPECT_THAT(table_refusal("latency_ms;a;b\r\na;;1,5\r\nb;1,5;\r\n"),
              HasSubstr("t.csv:1: its cells are separated by semicolons"));
  EXPECT_THAT(table_refusal("latency_ms\ta\tb\na\t\t1\nb\t1\t\n"),
              HasSubstr("t.csv:1: its cells are separated by tabs"));
  EXPECT_THAT(table_refusal("throughput_Gbps,a,b\na,,1\nb,1,\n"), HasSubstr("latency_ms"));
}

TEST(ATableOfSites, NamesRowAndColumnOfWhatIsWrong) {
  struct {
    const char* text;
    Quantity quantity;
    const char* says;
  } const mistakes[] = {
      {"latency_ms,a,b\na,,-5\nb,1,\n", Quantity::latency, "t.csv:2: row a, column b: `-5` is negative"},
      {"latency_ms,a,b\na,,1\nb,fast,\n", Quantity::latency, "t.csv:3: row b, column a: `fast` is no number"},
      {"latency_ms,a,b\na,,nan\nb,1,\n", Quantity::latency, "`nan` is no number"},
      {"bandwidth_MBps,a,b\na,,0\nb,1,\n", Quantity::bandwidth, "t.csv:2: row a, column b: `0` is no capacity"},
      {"bandwidth_GBps,a,b\na,,1e300\nb,1,\n", Quantity::bandwidth, "`1e300` is out of range"},
      {"latency_ms,a,b\na,,\nb,1,\n", Quantity::latency, "row a, column b: no value, and line 3 has one of the other"},
      {"latency_ms,a,b\na,,\nb,,\n", Quantity::latency, "row a, column b: no value; one for each pair"},
      {"latency_ms,a,b\na,,1\n", Quantity::latency, "row b, column a: no value, and line 2"},
      {"latency_ms,a,b\na,,1\na,,1\nb,1,\n", Quantity::latency, "t.csv:3: row a is there twice; once would be right"},
      {"latency_ms,a,a\na,,1\n", Quantity::latency, "t.csv:1: column a is there twice; once would be right"},
      {"latency_ms,a,b\na,,1\nc,1,\n", Quantity::latency, "t.csv:3: row c is no column"},
      {"latency_ms,a,b\na,,1,2\nb,1,\n", Quantity::latency, "t.csv:2: row a has 3 values; 2"},
      {"source,destination,latency_ms\na,b,1\na,b,2\nb,a,1\n", Quantity::latency,
       "t.csv:3: row a, column b: also in line 2"},
      {"source,destination,latency_ms,comment\na,b,1,x\n", Quantity::latency,
       "t.csv:1: column `comment` is too much; `source,destination,latency_ms` alone would be right"},
      {"source,destination,hops,rtt_ms\na,b,1,2\n", Quantity::latency,
       "t.csv:1: column `hops` is too much; `source,destination,rtt_ms` alone"},
      {"source,destination,latency_ms,\na,b,1,\n", Quantity::latency, "t.csv:1: column without a name is too much"},
      {"source,destination\na,b\n", Quantity::latency, "t.csv:1: no column with values"},
      {"source,destination,latency_ms\na,b\n", Quantity::latency, "t.csv:2: 2 cells"},
      {"source,destination,latency_ms\n,b,1\n", Quantity::latency, "t.csv:2: no name of the source"},
      {"latency_ms,\"a\",b\n", Quantity::latency, "t.csv:1: has a quote"},
      {"latency_ms,a\na,\n", Quantity::latency, "1 site"},
      {"", Quantity::latency, "no line"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(table_refusal(mistake.text, mistake.quantity), HasSubstr(mistake.says)) << mistake.text;
}

TEST(ATableOfSites, MayHaveOneDirectionOfEachPairIfThatIsSaid) {
  const std::string half = "source,destination,latency_ms\na,b,10\nc,a,5\nb,c,7\n";
  EXPECT_THAT(table_refusal(half), HasSubstr("--symmetric"));
  const SiteTable table = table_from(half, Quantity::latency, true);
  EXPECT_THAT(table.sites, ElementsAre("a", "b", "c"));
  EXPECT_EQ(table.at(1, 0), 0.010);
  EXPECT_EQ(table.at(0, 2), 0.005);
  EXPECT_THAT(table_refusal("source,destination,latency_ms\na,b,10\nc,a,5\n", Quantity::latency, true),
              HasSubstr("row b, column c: no value; one for each pair"));
}

}  // namespace
}  // namespace isthmus
