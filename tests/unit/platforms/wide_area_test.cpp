#include "platforms/wide_area/wide_area.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "platforms/wide_area/from_graphml.hpp"
#include "platforms/wide_area/from_tables.hpp"
#include "tests/support/text_file.hpp"

namespace isthmus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Three sites: from a 1 and 2 B/s leave, from b 3 and 4, from c 5 and 6.
SiteTables three_sites() {
  return {{{"a", "b", "c"}, {0, 0.1, 0.2, 0.3, 0, 0.4, 0.5, 0.6, 0}},
          {{"a", "b", "c"}, {0, 1, 2, 3, 0, 4, 5, 6, 0}},
          {},
          {}};
}

template <class Task>
std::string refusal(Task task) {
  try {
    task();
  } catch (const BadInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(AWideAreaOfTables, HasALineForEachOrderedPair) {
  const WideArea area = wide_area_of(three_sites(), {});
  ASSERT_EQ(area.lines.size(), 6U);
  EXPECT_EQ(area.routes.size(), 6U);
  EXPECT_EQ(area.lines[3].from, 1);
  EXPECT_EQ(area.lines[3].to, 2);
  EXPECT_EQ(area.lines[3].bandwidth_Bps, 4);
  EXPECT_EQ(area.lines[3].latency_s, 0.4);
  EXPECT_FALSE(area.lines[3].price_per_GB);
  EXPECT_FALSE(area.sites[0].exit_Bps);
}

TEST(AWideAreaOfTables, TakesSitesInAnyOrderOfTheOtherTables) {
  SiteTables tables = three_sites();
  tables.bandwidth = {{"c", "a", "b"}, {0, 5, 6, 2, 0, 1, 4, 3, 0}};
  tables.price = SiteTable{{"b", "c", "a"}, {0, 23, 21, 32, 0, 31, 12, 13, 0}};
  const WideArea area = wide_area_of(tables, {});
  EXPECT_EQ(area.lines[3].bandwidth_Bps, 4);
  EXPECT_EQ(area.lines[3].price_per_GB, 23);
  EXPECT_EQ(area.lines[0].price_per_GB, 12);
}

TEST(AWideAreaOfTables, RefusesSitesThatAreNotInAllTables) {
  SiteTables tables = three_sites();
  tables.bandwidth.sites[1] = "x";
  EXPECT_THAT(refusal([&] { wide_area_of(tables, {}); }), HasSubstr("site b has latencies and no bandwidths"));
  tables = three_sites();
  tables.rows = {{"d", 2, {}, {}, {}}};
  EXPECT_THAT(refusal([&] { wide_area_of(tables, {}); }), HasSubstr("site d has a row of its own"));
}

TEST(AWideAreaOfTables, CapsASiteByItsLargestRates) {
  SiteOptions options;
  options.hosts = 1;
  options.exit = options.entrance = options.host_bandwidth = {SiteRate::Kind::largest, 0};
  const WideArea area = wide_area_of(three_sites(), options);
  EXPECT_EQ(area.sites[0].exit_Bps, 2);
  EXPECT_EQ(area.sites[0].entrance_Bps, 5);
  EXPECT_EQ(area.sites[0].host_bandwidth_Bps, 5);
  EXPECT_EQ(area.sites[1].exit_Bps, 4);
  EXPECT_EQ(area.sites[1].entrance_Bps, 6);
}

TEST(AWideAreaOfTables, MultipliesRatesOfOneHostByTheHosts) {
  SiteOptions options;
  options.exit = options.host_bandwidth = {SiteRate::Kind::largest, 0};
  options.rates_per_host = true;
  SiteTables tables = three_sites();
  tables.rows = {{"a", 10, {}, {}, {}}, {"b", 3, {}, {}, {}}};
  const WideArea area = wide_area_of(tables, options);
  EXPECT_EQ(area.lines[0].bandwidth_Bps, 3 * 1);  // a to b: 10 and 3 hosts
  EXPECT_EQ(area.lines[1].bandwidth_Bps, 4 * 2);  // a to c: 10 and 4
  EXPECT_EQ(area.sites[0].exit_Bps, 10 * 2);
  EXPECT_EQ(area.sites[0].host_bandwidth_Bps, 5);
}

TEST(ATableOfWhatEachSiteHas, IsReadByItsColumns) {
  const tests::TextFile file("s.csv", "site,entrance_MBps,hosts,host_Gbps\na,3,7,10\nb,,,\n");
  const std::vector<SiteRow> rows = read_site_rows(file.path());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].hosts, 7);
  EXPECT_EQ(rows[0].host_bandwidth_Bps, 1.25e9);
  EXPECT_EQ(rows[0].entrance_Bps, 3e6);
  EXPECT_FALSE(rows[0].exit_Bps);
  EXPECT_FALSE(rows[1].hosts);
}

TEST(ATableOfWhatEachSiteHas, NamesTheColumnOfWhatIsWrong) {
  struct {
    const char* text;
    const char* says;
  } const mistakes[] = {{"site,hosts\na,0\n", "s.csv:2: column hosts: `0`"},
                        {"site,hosts\na,2.5\n", "column hosts: `2.5`"},
                        {"site,hosts\na,99999999\n", "column hosts"},
                        {"site,exit_MBps\na,-1\n", "column exit_MBps: `-1`"},
                        {"site,speed\na,1\n", "s.csv:1: no column is named `speed`"},
                        {"hosts\n1\n", "no column `site`"},
                        {"site,hosts,hosts\na,1,1\n", "column hosts is there twice; once would be right"},
                        {"site,hosts\na,1\na,2\n", "s.csv:3: site a is also in line 2"},
                        {"site,hosts\na\n", "s.csv:2: 1 cells"}};
  for (const auto& mistake : mistakes) {
    const tests::TextFile file("s.csv", mistake.text);
    EXPECT_THAT(refusal([&] { read_site_rows(file.path()); }), HasSubstr(mistake.says)) << mistake.text;
  }
}

TEST(APlatformOfAWideArea, HasExitLineAndEntranceOnEachRoute) {
  SiteTables tables = three_sites();
  tables.price = SiteTable{tables.latency.sites, {0, 12, 13, 21, 0, 23, 31, 32, 0}};
  SiteOptions options;
  options.exit = {SiteRate::Kind::largest, 0};
  options.entrance = {SiteRate::Kind::given, 7};
  WideArea area = wide_area_of(tables, options);
  area.name = "three";
  area.remarks = {"From -- somewhere."};
  const std::string xml = platform_xml(area);
  EXPECT_THAT(xml, AllOf(HasSubstr("<!-- From - - somewhere. -->"), HasSubstr(R"(<zone id="three" routing="Full">)"),
                         HasSubstr(R"(<link id="a-exit" bandwidth="2Bps" latency="0s")"),
                         HasSubstr(R"(<link id="b-to-c" bandwidth="4Bps" latency="0.4s" sharing_policy="SHARED">)"),
                         HasSubstr(R"(<prop id="isthmus.price_per_GB" value="23" />)")));
  const std::string route = xml.substr(xml.find(R"(<zoneRoute src="b" dst="c")"));
  EXPECT_LT(route.find("b-exit"), route.find("b-to-c"));
  EXPECT_LT(route.find("b-to-c"), route.find("c-entrance"));
}

TEST(APlatformOfAWideArea, RefusesTwoElementsOfOneName) {
  SiteTables tables = three_sites();
  tables.latency.sites = tables.bandwidth.sites = {"a", "a-1", "c"};
  EXPECT_THAT(refusal([&] { platform_xml(wide_area_of(tables, {})); }),
              HasSubstr("of the sites `a` and `a-1` would be named a-1"));
  tables.latency.sites = tables.bandwidth.sites = {"a:b", "a b", "c"};
  EXPECT_THAT(refusal([&] { platform_xml(wide_area_of(tables, {})); }),
              HasSubstr("of the sites `a:b` and `a b` would be named a-b"));
  tables.latency.sites = tables.bandwidth.sites = {"a", "a-4", "c"};  // hosts a-0 to a-3
  EXPECT_EQ(refusal([&] { platform_xml(wide_area_of(tables, {})); }), "accepted");
}

TEST(APlatformOfAWideArea, HasNamesOfAnyLanguage) {
  for (const char* name : {"東京", "København", "São-Paulo", "Ἀθῆναι", "Москва", "مكة", "\xf0\x9f\x8c\x8d"})
    EXPECT_EQ(element_name(name), name);
  SiteTables tables = three_sites();
  tables.latency.sites = tables.bandwidth.sites = {"東京", "大阪", "c"};
  const std::string xml = platform_xml(wide_area_of(tables, {}));
  EXPECT_THAT(xml, AllOf(HasSubstr(R"(<cluster id="東京" prefix="東京-")"), HasSubstr(R"(<link id="大阪-to-東京")"),
                         Not(HasSubstr("<!--"))));
}

TEST(APlatformOfAWideArea, ReplacesWhatNamesCannotBearAndSaysSo) {
  EXPECT_EQ(element_name("a b,c\"d'e*f?g[h]i{j}k/l&m<n>o"), "a-b-c-d-e-f-g-h-i-j-k-l-m-n-o");
  EXPECT_EQ(element_name("\n\x7f\xc2\x9b\xc2\xa0\xe3\x80\x80\xe2\x80\xae\xef\xbf\xbf"), "-");
  EXPECT_EQ(element_name("a\xff\xc3z"), "a-z");  // no UTF-8
  EXPECT_EQ(element_name("Madrid, ES -- -"), "Madrid-ES-");
  EXPECT_EQ(element_name("a--b"), "a--b");
  SiteTables tables = three_sites();
  tables.latency.sites = tables.bandwidth.sites = {"New York", "大阪", "c-->\n"};
  WideArea area = wide_area_of(tables, {});
  area.remarks = {"From somewhere."};
  EXPECT_THAT(platform_xml(area),
              HasSubstr("<!-- From somewhere.\n     Names that were changed: `New York` is New-York, "
                        "`c- ->\\n` is c-. -->"));
}

constexpr const char* keys =
    "<graphml><key attr.name='LinkSpeedRaw' for='edge' id='r'/><key attr.name='Latitude' for='node' id='y'/>"
    "<key attr.name='Longitude' for='node' id='x'/><key attr.name='label' for='node' id='l'/>"
    "<graph edgedefault='undirected'>\n";

std::string node(const std::string& id, const std::string& label, const std::string& y, const std::string& x) {
  return "<node id='" + id + "'><data key='l'>" + label + "</data><data key='y'>" + y + "</data><data key='x'>" + x +
         "</data></node>\n";
}

std::string edge(const std::string& from, const std::string& to, const std::string& rate = "8e9") {
  return "<edge source='" + from + "' target='" + to + "'><data key='r'>" + rate + "</data></edge>\n";
}

const std::string line_of_three = node("0", "A", "0", "0") + node("1", "B", "0", "10") + node("2", "C", "0", "20");

WideArea graph(const std::string& elements, const GraphOptions& options = {}) {
  const tests::TextFile file("g.graphml", keys + elements + "</graph></graphml>");
  return wide_area_of_graphml(file.path(), options);
}

TEST(AWideAreaOfAGraph, HasLatenciesByDistanceAndRoutesOverSeveralLines) {
  const WideArea area = graph(line_of_three + edge("0", "1") + edge("1", "2", "4e9") + edge("2", "1", "4e9"));
  ASSERT_EQ(area.lines.size(), 4U);
  EXPECT_NEAR(area.lines[0].latency_s, 1111949.27 / (299792458.0 * 2 / 3), 1e-8);
  EXPECT_EQ(area.lines[0].bandwidth_Bps, 1e9);
  EXPECT_EQ(area.lines[2].bandwidth_Bps, 1e9);  // two parallel edges
  const auto route = std::find_if(area.routes.begin(), area.routes.end(),
                                  [](const SiteRoute& one) { return one.from == 2 && one.to == 0; });
  ASSERT_NE(route, area.routes.end());
  EXPECT_THAT(route->lines, ElementsAre(3, 1));
}

TEST(AWideAreaOfAGraph, TellsNodesOfOneLabelApart) {
  const WideArea area = graph(node("0", "A", "0", "0") + node("1", "A", "0", "10") + edge("0", "1"));
  EXPECT_EQ(area.sites[0].name, "A");
  EXPECT_EQ(area.sites[1].name, "A-node1");  // A-1 is a host of A
  EXPECT_THAT(platform_xml(area), AllOf(HasSubstr("A-to-A-node1"), HasSubstr("have their id in the name: A-node1.")));
}

TEST(AWideAreaOfAGraph, DistancesAreThoseOfASphere) {
  EXPECT_NEAR(distance_m(0, 0, 0, 180), 20015114.4, 1);
  EXPECT_NEAR(distance_m(90, 0, -90, 77), 20015114.4, 1);
  EXPECT_NEAR(distance_m(48.8566, 2.3522, 51.5074, -0.1278), 343.6e3, 500);  // Paris to London
  EXPECT_EQ(distance_m(12, 34, 12, 34), 0);
}

TEST(AWideAreaOfAGraph, NamesWhatIsMissingWithItsLine) {
  struct {
    std::string elements;
    const char* says;
  } const mistakes[] = {
      {line_of_three + edge("0", "1") + "<edge source='1' target='2'/>\n",
       "g.graphml:6: edge B - C has no LinkSpeedRaw"},
      {line_of_three + edge("0", "1") + edge("1", "2", "0"), "LinkSpeedRaw 0"},
      {line_of_three + edge("0", "1") + edge("1", "2", "-3"), "LinkSpeedRaw: `-3`"},
      {line_of_three + edge("0", "1") + edge("1", "7"), "target `7` is no node"},
      {line_of_three + edge("0", "1"), "no way from A to C; a connected graph"},
      {line_of_three + node("0", "D", "0", "0"), "node 0 is there twice; ids that differ would be right"},
      {line_of_three + node("3", "D", "95", "0"), "Latitude: `95`"},
      {line_of_three + "<node id='3'/>\n" + edge("0", "1") + edge("1", "2") + edge("2", "3"),
       "edge C - node3: node3 has no Latitude and Longitude"},
      {node("0", "A", "0", "0"), "fewer than 2 nodes"},
      {"<node", "no XML"},
  };
  for (const auto& mistake : mistakes)
    EXPECT_THAT(refusal([&] { graph(mistake.elements); }), HasSubstr(mistake.says)) << mistake.elements;
  const tests::TextFile other("o.graphml", "<platform/>");
  EXPECT_THAT(refusal([&] { wide_area_of_graphml(other.path(), {}); }), HasSubstr("no <graphml>"));
}

TEST(AWideAreaOfAGraph, TakesAnAssumptionForWhatIsMissingAndSaysSo) {
  GraphOptions options;
  options.line_bandwidth_Bps = 5;
  options.line_latency_s = 0.25;
  const WideArea area =
      graph(line_of_three + "<node id='3'/>\n" + edge("0", "1") + edge("1", "2") + "<edge source='2' target='3'/>\n",
            options);
  EXPECT_EQ(area.lines.back().bandwidth_Bps, 5);
  EXPECT_EQ(area.lines.back().latency_s, 0.25);
  EXPECT_THAT(area.remarks, testing::Contains(HasSubstr("1 edges have no LinkSpeedRaw: 5 B/s")));
  EXPECT_THAT(area.remarks, testing::Contains(HasSubstr("1 edges have an end without coordinates: 0.25 s")));
  EXPECT_THAT(graph(line_of_three + edge("0", "1") + edge("1", "2")).remarks,
              Not(testing::Contains(HasSubstr("edges have"))));
}

}  // namespace
}  // namespace isthmus
