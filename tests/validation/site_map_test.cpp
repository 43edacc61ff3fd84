#include "validation/report/maps/site_map.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/validation/scene.hpp"
#include "validation/report/maps/network_drawing.hpp"

namespace isthmus {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// A network of sites of two hosts whose routes are told link by link.
class Sites {
 public:
  explicit Sites(int count) : network_(star_network("sites", count, 2)) { network_.trunks.clear(); }

  int link(double latency_s, double bandwidth_Bps) {
    network_.links.push_back({"link", bandwidth_Bps, latency_s, Sharing::shared});
    return static_cast<int>(network_.links.size()) - 1;
  }
  void route(int from, int to, std::vector<int> links) { network_.trunks[{from, to}].links = std::move(links); }
  void both(int a, int b, const std::vector<int>& links) {
    route(a, b, links);
    route(b, a, links);
  }
  SiteMap map() const { return site_map(network_); }
  const Network& network() const { return network_; }

 private:
  Network network_;
};

std::vector<std::pair<int, int>> lines_of(const SiteMap& map) {
  std::vector<std::pair<int, int>> lines;
  for (const SiteLine& line : map.lines) lines.emplace_back(line.from, line.to);
  return lines;
}

TEST(SiteMaps, ALinkForEachPairIsALineForEachPair) {
  const SiteMap map = site_map(star_network("mesh", 4, 2));
  EXPECT_EQ(map.lines.size(), 6u);
  EXPECT_THAT(map.crossings, IsEmpty());
  for (const SiteLine& line : map.lines) EXPECT_EQ(line.text, "10 ms, 1 MB/s");
}

TEST(SiteMaps, ASiteBehindAnotherHasNoLineOfItsOwn) {
  Sites sites(3);
  const int first = sites.link(1e-3, 1e6), second = sites.link(5e-3, 2e6);
  sites.both(0, 1, {first});
  sites.both(1, 2, {second});
  sites.both(0, 2, {first, second});
  const SiteMap map = sites.map();
  EXPECT_THAT(lines_of(map), ElementsAre(std::pair(0, 1), std::pair(1, 2)));
  EXPECT_EQ(map.lines[1].text, "5 ms, 2 MB/s");
}

TEST(SiteMaps, ARingIsARing) {
  Sites sites(4);
  std::vector<int> links;
  for (int i = 0; i < 4; ++i) links.push_back(sites.link(1e-3, 1e6));
  for (int i = 0; i < 4; ++i) sites.both(i, (i + 1) % 4, {links[i]});
  sites.both(0, 2, {links[0], links[1]});
  sites.both(1, 3, {links[1], links[2]});
  EXPECT_THAT(lines_of(sites.map()),
              UnorderedElementsAre(std::pair(0, 1), std::pair(0, 3), std::pair(1, 2), std::pair(2, 3)));
}

TEST(SiteMaps, SitesMeetAtARouterHoweverManyLinksLeadThere) {
  Sites sites(3);
  const int campus = sites.link(1e-3, 1e6), city = sites.link(1e-3, 1e6), one = sites.link(5e-3, 2e6);
  const int near = sites.link(1e-3, 1e6), far = sites.link(9e-3, 1e6);
  sites.both(0, 1, {campus, city, one});
  sites.both(0, 2, {campus, city, near, far});  // on links of shorter routes alone
  sites.both(1, 2, {one, near, far});
  const SiteMap map = sites.map();
  ASSERT_EQ(map.crossings.size(), 1u);
  EXPECT_THAT(map.crossings[0].sites, ElementsAre(0, 1, 2));
  EXPECT_THAT(lines_of(map), ElementsAre(std::pair(0, 3), std::pair(1, 3), std::pair(2, 3)));
}

TEST(SiteMaps, ASiteBehindAnotherHasNoLineWhereThatHasLinksInside) {
  Sites sites(3);
  const int first = sites.link(1e-3, 1e6), second = sites.link(5e-3, 2e6), inside = sites.link(1e-6, 1e9);
  sites.route(1, 1, {inside});
  sites.route(0, 1, {first, inside});
  sites.route(1, 0, {inside, first});
  sites.route(1, 2, {inside, second});
  sites.route(2, 1, {second, inside});
  sites.both(0, 2, {first, second});
  EXPECT_THAT(lines_of(sites.map()), ElementsAre(std::pair(0, 1), std::pair(1, 2)));
}

TEST(SiteMaps, LinksToARouterMeetThere) {
  Sites sites(3);
  std::vector<int> links;
  for (int i = 0; i < 3; ++i) links.push_back(sites.link(1e-3 * (i + 1), 1e6));
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < a; ++b) sites.both(a, b, {links[a], links[b]});
  const SiteMap map = sites.map();
  EXPECT_THAT(lines_of(map), ElementsAre(std::pair(0, 3), std::pair(1, 3), std::pair(2, 3)));
  ASSERT_EQ(map.crossings.size(), 1u);
  EXPECT_THAT(map.crossings[0].sites, ElementsAre(0, 1, 2));
  EXPECT_EQ(map.crossings[0].text, "");
  EXPECT_EQ(map.lines[2].text, "3 ms, 1 MB/s");
}

TEST(SiteMaps, ALinkThatAllShareIsWhereTheyMeet) {
  Sites sites(3);
  const int backbone = sites.link(10e-3, 5e6);
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < a; ++b) sites.both(a, b, {backbone});
  const SiteMap map = sites.map();
  EXPECT_EQ(map.lines.size(), 3u);
  ASSERT_EQ(map.crossings.size(), 1u);
  EXPECT_EQ(map.crossings[0].text, "10 ms, 5 MB/s");
  EXPECT_FALSE(map.lines[0].has_figures);
}

TEST(SiteMaps, LinesStayApartBehindASharedAccessLink) {
  Sites sites(3);
  std::vector<int> access;
  for (int i = 0; i < 3; ++i) access.push_back(sites.link(1e-4, 1e8));
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < a; ++b) sites.both(a, b, {access[a], sites.link(1e-3, 1e6), access[b]});
  const SiteMap map = sites.map();
  EXPECT_THAT(lines_of(map), ElementsAre(std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)));
  EXPECT_THAT(map.crossings, IsEmpty());
  EXPECT_EQ(map.lines[0].text, "1.2 ms, 1 MB/s");
}

TEST(SiteMaps, ExitsAndEntrancesThatAreSlowerThanTheLinesTogetherAreListed) {
  Sites sites(3);
  const int out = sites.link(1e-4, 1e8), in = sites.link(1e-4, 5e6);
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2)}) {
    sites.route(a, b, {out, sites.link(5e-3, 4e6)});
    sites.route(b, a, {sites.link(5e-3, 4e6), in});
  }
  sites.both(1, 2, {sites.link(5e-3, 4e6)});
  const SiteMap map = sites.map();
  ASSERT_EQ(map.limits.size(), 1u);
  EXPECT_EQ(map.limits[0].site, 0);
  EXPECT_EQ(map.limits[0].out_Bps, INFINITY) << "as fast as its lines together, and more";
  EXPECT_EQ(map.limits[0].in_Bps, 5e6);
  EXPECT_THAT(network_drawing(sites.network()).notes,
              Contains("Over all links of a site together, c0 takes in 5 MB/s at most."));
}

TEST(SiteMaps, AnAccessLinkOfBothDirectionsLimitsTheirSum) {
  Sites sites(3);
  std::vector<int> access;
  for (const double rate_Bps : {6e6, 6e6, 1e8}) access.push_back(sites.link(1e-4, rate_Bps));
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < a; ++b) sites.both(a, b, {access[a], sites.link(5e-3, 4e6), access[b]});
  ASSERT_EQ(sites.map().limits.size(), 2u);
  EXPECT_THAT(network_drawing(sites.network()).notes,
              Contains("Over all links of a site together, each of c0, c1 sends and takes in 6 MB/s at most."));
}

TEST(SiteMaps, SitesWithoutARouteHaveNoLine) {
  Sites sites(3);
  sites.both(0, 1, {sites.link(1e-3, 1e6)});
  EXPECT_THAT(lines_of(sites.map()), ElementsAre(std::pair(0, 1)));
}

}  // namespace
}  // namespace isthmus
