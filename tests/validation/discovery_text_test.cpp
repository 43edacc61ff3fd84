// The table of what a discovery measured.
#include "validation/text/discovery_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "algorithms/text/parts.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

using testing::StartsWith;

TEST(DiscoveryTable, NamesHostsWhereSeveralPairsOfTwoGroupsWereMeasured) {
  Discovered discovered;
  discovered.network = tests::das(3, 2);
  for (const auto& [from, to] : {std::pair(0, 2), {0, 3}, {0, 4}, {0, 1}})
    discovered.routes.push_back(
        {.from = from, .to = to, .empty_s = 1, .found_empty_s = 1, .rate_Bps = 1e6, .found_rate_Bps = 1e6});
  const std::string text = discovery_table(discovered, {});
  std::vector<std::string> lines;
  for (const std::string_view line : parts_of(text, '\n')) lines.emplace_back(line);
  ASSERT_GE(lines.size(), 7U);
  EXPECT_THAT(lines[3], StartsWith("c0-0  c1-0"));
  EXPECT_THAT(lines[4], StartsWith("c0-0  c1-1"));
  EXPECT_THAT(lines[5], StartsWith("c0    c2"));
  EXPECT_THAT(lines[6], StartsWith("4 routes measured one at a time: the network is off by 0 %"));
}

TEST(DiscoveryTable, MarksWhatIsFarOffInTextToo) {
  Discovered discovered;
  discovered.network = tests::das(3, 2);
  MeasuredRoute route = {
      .from = 0, .to = 2, .empty_s = 1, .found_empty_s = 1, .rate_Bps = 1e6, .found_rate_Bps = 1.05e6};
  discovered.routes = {route};
  EXPECT_THAT(discovery_table(discovered, {}), testing::Not(testing::HasSubstr("*")));
  route.found_rate_Bps = 2e6;
  discovered.routes = {route};
  EXPECT_THAT(
      discovery_table(discovered, {}),
      testing::AllOf(testing::ContainsRegex("[0-9]\\*\n"), testing::HasSubstr("\n* off by more than 10 %\n"),
                     testing::HasSubstr("off by 0 % at most in latency (mean of both directions), 100 % in rate")));
}

TEST(DiscoveryTable, SaysHowWellTheNetworkExplainsTestsOfSeveralStreams) {
  Discovered discovered;
  discovered.network = tests::das(3, 2);
  EXPECT_THAT(discovery_table(discovered, {}), testing::Not(testing::HasSubstr("at once")));
  discovered.loads = {{.streams = 3, .from = 0, .to = 2, .rate_Bps = 3e6, .found_rate_Bps = 3e6},
                      {.streams = 2, .from = 1, .to = 4, .rate_Bps = 1e6, .found_rate_Bps = 2e6},
                      {.streams = 2, .from = 0, .to = 2, .rate_Bps = 2e6, .found_rate_Bps = 2.02e6}};
  EXPECT_THAT(
      discovery_table(discovered, {}),
      testing::EndsWith("3 tests of several at once: it is off by 0.99 % in the median, 50 % at most (2 streams, "
                        "c0-1 to c2-0 the furthest off)\n"));
}

TEST(DiscoveryCsv, HasALineForEachRouteAndForEachTestOfSeveralStreams) {
  Discovered discovered;
  discovered.network = tests::das(3, 2);
  discovered.routes = {
      {.from = 0, .to = 2, .empty_s = 0.5, .found_empty_s = 0.25, .rate_Bps = 4e6, .found_rate_Bps = 2e6},
      {.from = 0, .to = 1, .empty_s = 0.5, .found_empty_s = 0.5}};
  discovered.loads = {{.streams = 3, .from = 1, .to = 4, .rate_Bps = 1e6, .found_rate_Bps = 2e6}};
  EXPECT_EQ(discovery_csv(discovered),
            "from,to,empty_s,found_empty_s,rate_Bps,found_rate_Bps,message_Bps,lost,streams\n"
            "c0-0,c1-0,0.5,0.25,4000000,2000000,,0,1\n"
            "c0-0,c0-1,0.5,0.5,,,,0,1\n"
            "c0-1,c2-0,,,1000000,2000000,,,3\n");
}

}  // namespace
}  // namespace isthmus
