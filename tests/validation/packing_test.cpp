#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "algorithms/catalog.hpp"
#include "algorithms/synthesis/synthesis.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/meshes.hpp"
#include "validation/report/packing_picture.hpp"
#include "validation/studies/explain.hpp"
#include "validation/text/packing_text.hpp"
#include "validation/text/plan_text.hpp"
#include "validation/text/text_table.hpp"

namespace isthmus {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ShortPlans, HaveTheNumberOfWaysInPlaceOfThePacking) {
  EXPECT_EQ(short_plan("packed:segment=64Ki,packing=0.0.1:3/0.0.0+:1,drivers=1.2.1,lag=10,slack=5"),
            "packed:segment=64Ki,2 trees");
  EXPECT_EQ(short_plan("packed:segment=none,merged=2,packing=0.0^1.1:1"), "packed:segment=none,merged=2,1 tree");
  EXPECT_EQ(short_plan("segment=1Ki,packing=0.1:1/0.2.1:2/0.2:1"), "segment=1Ki,3 paths") << "parameters alone";
  EXPECT_EQ(short_plan("packed:packing=1.0:1"), "packed:1 path");
  EXPECT_EQ(short_plan("kielmann:segment=64Ki,wan-degree=3"), "kielmann:segment=64Ki,wan-degree=3");
  EXPECT_EQ(short_plan("mpi:selector=no-packing=x"), "mpi:selector=no-packing=x");
  EXPECT_EQ(short_plan(""), "");
}

/// Four sites of two hosts; the links of site 0 out are the slowest.
struct FourSites {
  PlacedNetwork placed;

  FourSites() : FourSites({"br", "fr", "jp", "us"}) {}
  explicit FourSites(const std::vector<std::string>& names) : placed(network(names), placement(network(names))) {}

  static Placement placement(const Network& network) { return place_ranks(network, PlacementRule::block, 1); }
  static Network network(const std::vector<std::string>& names) {
    tests::Mesh mesh(std::vector<int>(names.size(), 2));
    for (int from = 0; from < static_cast<int>(names.size()); ++from)
      for (int to = 0; to < static_cast<int>(names.size()); ++to)
        if (from != to) mesh.join(from, to, from == 0 ? 1e6 : 4e6, 10e-3);
    for (Host& host : mesh.network.hosts) host.zones = {{"site", names[host.endpoint]}};
    return mesh.network;
  }

  std::string text(Collective collective, const std::string& ways) const {
    const Problem problem{collective, 1 << 20, 1, 0};
    const Plan plan = parse_plan(collective, "packed:segment=64Ki,packing=" + ways);
    return packing_text(packing_map(placed, problem, plan), find_lower_bound(placed, problem), placed.network(), 1,
                        false);
  }
};

TEST(PackingText, DrawsTreesWithTheDataAlongTheArrows) {
  const FourSites sites;
  EXPECT_THAT(sites.text(Collective::broadcast, "0.0.1.1:3/0.0.0.2+:1"),
              AllOf(HasSubstr("Sites: 0 br, 1 fr, 2 jp, 3 us\n"),
                    HasSubstr("\n 75.0 %  br ──→ fr ─┬→ jp\n"
                              "                    └→ us\n"
                              " 25.0 %  br* ─┬→ jp ──→ us\n"
                              "              └→ fr\n"),
                    HasSubstr("* Another rank of this site drives the edges at the root.\n")));
  EXPECT_THAT(sites.text(Collective::reduce, "0.0.1.1:1"), HasSubstr("100.0 %  br ←── fr ←┬─ jp\n"
                                                                     "                    └─ us\n"));
  EXPECT_THAT(sites.text(Collective::allreduce, "1.1.1.2^1.1.1.1:1"), HasSubstr("100.0 %  fr ←┬─ jp ←── us\n"
                                                                                "             └─ br\n"
                                                                                "         fr ─┬→ br\n"
                                                                                "             ├→ jp\n"
                                                                                "             └→ us\n"));
}

TEST(PackingText, DrawsPathsAndGathersThoseThatGoStraight) {
  EXPECT_THAT(FourSites().text(Collective::scatter, "0.1:1/0.2:1/0.3:1/0.1.3:3"),
              AllOf(HasSubstr(" 75.0 %  br → fr → us\n 25.0 %  br → us\n"), HasSubstr("  100 %  br → fr, br → jp\n")));
}

TEST(PackingText, MarksTheLinksOfTheBound) {
  const std::string text = FourSites().text(Collective::broadcast, "0.0.1.1:1/0.2.0.2:1/0.3.3.0:1");
  EXPECT_THAT(text, AllOf(HasSubstr("w0-1"), HasSubstr("100  sets the bound\n"),
                          HasSubstr("No schedule takes less than"), HasSubstr("have to cross these links")));
  EXPECT_EQ(text.find("w1-2"), text.rfind("w1-2")) << "is in the table, and sets nothing";
}

TEST(PackingText, IsOfHundredColumnsAtMost) {
  std::mt19937 random(3);
  for (const int count : {3, 9}) {
    Network network = tests::random_mesh(std::vector<int>(count, 2), random).network;
    for (Host& host : network.hosts) host.zones = {{"site", "a-place-with-a-long-name-" + host.zones[0].name}};
    const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
    for (const Collective collective : {Collective::broadcast, Collective::allreduce, Collective::alltoall}) {
      const Problem problem{collective, 1 << 20, 1, 0};
      Plan plan = parse_plan(collective, "packed:segment=64Ki");
      plan.parameters.packing = synthesise(SiteNetwork(placed), problem, 1 << 16).packing;
      std::istringstream text(packing_text(packing_map(placed, problem, plan), find_lower_bound(placed, problem),
                                           placed.network(), 1, false));
      std::size_t lines = 0;
      for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(text_width(line), 100u) << line;
      EXPECT_LT(lines, 700u);
    }
  }
}

TEST(Explanations, DrawThePackingOfTheChoiceBelowATableOfShortPlans) {
  const FourSites sites;
  const Problem problem{Collective::allgather, 1 << 20, 1, 0};
  const Explanation explanation = explain(sites.placed, problem);
  ASSERT_TRUE(explanation.packing) << "the links are unequal";
  const std::string table = format_explanation(explanation, sites.placed, Format::table, false, true);
  EXPECT_THAT(table, AllOf(HasSubstr("trees  "), HasSubstr("Sites: 0 br"), Not(HasSubstr("packing="))));
  for (const Format format : {Format::csv, Format::json})
    EXPECT_THAT(format_explanation(explanation, sites.placed, format, false, true),
                AllOf(HasSubstr("packing="), Not(HasSubstr("Sites:"))));
}

/// Little effort finds another choice there, which more of it does not confirm.
TEST(Explanations, NameSizesFromWhichTheChoiceIsAnotherAlgorithm) {
  std::mt19937 random(1);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 1000) / 1000;
  };
  tests::Mesh mesh({6, 6, 6, 6, 6, 6, 6, 6}, 3e7);
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to)
      if (from != to) mesh.join(from, to, between(2e7, 6e8), between(5e-3, 0.12));
  mesh.network.transport = tcp_over_ethernet();
  const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::block, 1));
  const Problem problem{Collective::reduce_scatter, 1 << 14, 4, 0};
  const Explanation explanation = explain(placed, problem, {.ahead = true});
  const Algorithm* now = explanation.candidates.front().plan.algorithm;
  ASSERT_TRUE(explanation.ahead);
  const auto& [next, looked_up_to_bytes] = *explanation.ahead;
  const std::int64_t bytes = next ? next->bytes : looked_up_to_bytes;
  Problem at = problem;
  at.count = bytes / problem.element_bytes;
  EXPECT_EQ(choose(placed, at).plan.algorithm != now, next.has_value()) << bytes;
}

TEST(PackingPicture, HasSitesLoadsTreesAndWhatBinds) {
  const FourSites sites({"br & <i>", "fr", "jp", "us"});
  const Problem problem{Collective::broadcast, 1 << 20, 1, 0};
  const Plan plan = parse_plan(Collective::broadcast, "packed:segment=64Ki,packing=0.0.1.1:2/0.2.0.2:1/0.3.3.0:1");
  const PackingPicture picture = draw_packing(packing_map(sites.placed, problem, plan),
                                              find_lower_bound(sites.placed, problem), sites.placed.network(), 1);
  const std::string svg = picture.svg.str();
  EXPECT_THAT(svg, AllOf(HasSubstr("aria-label=\"3 trees over 4 sites: 50.0 %, 25.0 %, 25.0 %\""),
                         HasSubstr("br &amp; &lt;i&gt;"), HasSubstr(">fr</text>"), HasSubstr("class=\"hue0\""),
                         HasSubstr("class=\"hue2\""), HasSubstr(" binding\""), HasSubstr("a link on the way binds")));
  EXPECT_THAT(picture.caption, HasSubstr("No schedule takes less than"));
  const auto count = [&](const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count("class=\"point flow"), 9u) << "the routes in use";
  EXPECT_EQ(count("class=\"flow\""), 9u) << "three edges a tree";
}

TEST(PackingPicture, DrawsAtMostTwentySmallMaps) {
  std::mt19937 random(5);
  const Network network = tests::random_mesh(std::vector<int>(10, 1), random).network;
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Problem problem{Collective::allgather, 1 << 20, 1, 0};
  Plan plan = parse_plan(Collective::allgather, "packed:segment=64Ki");
  plan.parameters.packing = synthesise(SiteNetwork(placed), problem, 1 << 16).packing;
  const PackingMap map = packing_map(placed, problem, plan);
  ASSERT_GT(map.ways.size(), 20u);
  EXPECT_THAT(draw_packing(map, find_lower_bound(placed, problem), network, 1).caption,
              HasSubstr(std::to_string(map.ways.size() - 20) + " more are not drawn."));
}

}  // namespace
}  // namespace isthmus
