#include "algorithms/tuning/packing_map.hpp"

#include <gmock/gmock.h>

#include <map>
#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/synthesis/synthesis.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;

PlacedNetwork placed_on(const Network& network) { return {network, place_ranks(network, PlacementRule::block, 1)}; }

Plan packed(Collective collective, const std::string& parameters) {
  return parse_plan(collective, "packed:" + parameters);
}

tests::Mesh full_mesh(const std::vector<int>& hosts) {
  tests::Mesh mesh(hosts);
  mesh.join_all(1e6, 10e-3);
  return mesh;
}

TEST(PackingMap, CountsWhatEachLinkCarriesAndHowLongItIsBusy) {
  tests::Mesh mesh = full_mesh({1, 1, 1});
  mesh.network.transport.header_bytes = 100;
  const PlacedNetwork placed = placed_on(mesh.network);
  const Problem problem{Collective::broadcast, 4000, 1, 0};
  const PackingMap map =
      packing_map(placed, problem, packed(Collective::broadcast, "segment=1000,packing=0.0.1:3/0.0.0:1"));
  EXPECT_EQ(map.kind, WayKind::trees_out);
  EXPECT_THAT(map.sites, ElementsAre("s0", "s1", "s2"));
  ASSERT_EQ(map.ways.size(), 2u);
  EXPECT_EQ(map.ways[0].share, 0.75);
  EXPECT_EQ(map.ways[0].from, 0);
  ASSERT_EQ(map.routes.size(), 3u);
  EXPECT_EQ(map.routes[0].bytes, 4000) << "0 to 1";
  EXPECT_EQ(map.routes[1].bytes, 1000) << "0 to 2";
  EXPECT_EQ(map.routes[2].bytes, 3000) << "1 to 2";
  const MappedLink& busiest = map.links.front();
  EXPECT_EQ(mesh.network.links[busiest.link].name, "w0-1");
  EXPECT_FALSE(busiest.inside);
  EXPECT_NEAR(busiest.seconds, (4000 + 4 * 100) / 1e6, 1e-12) << "four messages";
  EXPECT_EQ(map.busiest_s(), busiest.seconds);
  EXPECT_EQ(map.busy_s(busiest.link), busiest.seconds);
  EXPECT_EQ(map.busy_s(-1), 0);
}

TEST(PackingMap, KnowsTreesInAndTreesBothWaysAndPaths) {
  const PlacedNetwork placed = placed_on(full_mesh({2, 1, 1}).network);
  const auto kind = [&](Collective collective, const std::string& ways) {
    return packing_map(placed, {collective, 100, 1, 0}, packed(collective, "segment=none,packing=" + ways)).kind;
  };
  EXPECT_EQ(kind(Collective::reduce, "0.0.1:1"), WayKind::trees_in);
  EXPECT_EQ(kind(Collective::allreduce, "0.0.1^0.0.0:1"), WayKind::trees_both);
  EXPECT_EQ(kind(Collective::scatter, "0.1:1/0.1.2:3/0.2:1"), WayKind::paths);
}

TEST(PackingMap, SharesOfWaysWithTheSameEndsAddUpToOne) {
  std::mt19937 random(7);
  const PlacedNetwork placed = placed_on(tests::random_mesh({2, 3, 1, 2}, random).network);
  const SiteNetwork sites(placed);
  for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::allreduce,
                                      Collective::allgather, Collective::scatter, Collective::alltoall}) {
    const Problem problem{collective, 1 << 18, 1, 0};
    Plan plan = parse_plan(collective, "packed:segment=none");
    const Synthesis made = synthesise(sites, problem, 1 << 14);
    plan.parameters.packing = made.packing;
    plan.parameters.segment_bytes = 1 << 14;
    const PackingMap map = packing_map(placed, problem, plan);
    std::map<std::pair<int, int>, double> sums;
    for (const MappedWay& of : map.ways)
      sums[collective == Collective::allreduce ? std::pair(-1, -1) : std::pair(of.from, of.to)] += of.share;
    for (const auto& [ends, sum] : sums) EXPECT_NEAR(sum, 1, 1e-9) << name(collective);
    const double seconds = replay(placed, 1, source(plan, placed.topology(), problem)).seconds;
    EXPECT_GT(map.busiest_s(), 0.2 * seconds) << name(collective);
    EXPECT_LE(map.busiest_s(), seconds) << name(collective) << ": no link is busy for longer than the collective";
  }
}

}  // namespace
}  // namespace isthmus
