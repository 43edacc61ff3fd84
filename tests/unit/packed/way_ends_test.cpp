// When ways end, on three sites whose times can be worked out by hand.
#include "algorithms/packed/way_ends.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

/// Site 0 has 1 MB/s to and from site 1, and 10 MB/s to and from site 2; so has site 1 to and from site 2.
PlacedNetwork sites_with_a_slow_line() {
  tests::Mesh mesh({1, 1, 1}, 1e9);
  mesh.join_all(10e6, 10e-3);
  mesh.join(0, 1, 1e6, 10e-3);
  mesh.join(1, 0, 1e6, 10e-3);
  return {mesh.network, place_ranks(mesh.network, PlacementRule::block, 1)};
}

std::vector<double> ends(Collective collective, const std::string& plan_text, std::int64_t bytes) {
  const PlacedNetwork network = sites_with_a_slow_line();
  const Problem problem{.collective = collective, .count = bytes / 8, .element_bytes = 8};
  const Plan plan = parse_plan(collective, plan_text);
  const ProgramSource programs = source(plan, network.topology(), problem);
  WayEnds of_replay(network.topology(), problem, plan.parameters.packing);
  const ReplayOptions options{.groups = &of_replay.receives()};
  return replay(network, problem.element_bytes, of_replay.observed(programs), options).group_end_s;
}

constexpr double near = 0.002;  // overheads, headers and the links of hosts

TEST(WayEnds, OfTreesOut) {
  // Half a megabyte over 1 MB/s; the other half over 10 MB/s twice.
  const std::vector<double> found = ends(Collective::broadcast, "packed:packing=0.0.0:1/0.2.0:1", 1'000'000);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 0.51, near);
  EXPECT_NEAR(found[1], 0.12 + 0.05, near);  // site 2 gets both halves from site 0 over one line
}

TEST(WayEnds, OfTreesInAreThoseOfTheLastOperand) {
  const std::vector<double> found = ends(Collective::reduce, "packed:packing=0.0.0:1/0.2.0:1", 1'000'000);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 0.51, near);
  EXPECT_NEAR(found[1], 0.12, near);
}

TEST(WayEnds, OfTreesInAndOut) {
  // In to site 2 and out from there; and in to site 0, over the slow line, and out again.
  const std::vector<double> found =
      ends(Collective::allreduce, "packed:packing=2.2.2^2.2.2:9/0.0.0^0.0.0:1", 1'000'000);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0], 0.2, 0.02);
  EXPECT_NEAR(found[1], 0.22, 0.02);
}

TEST(WayEnds, OfPaths) {
  const std::vector<double> found =
      ends(Collective::alltoall, "packed:packing=0.1:1/0.2.1:3/0.2:1/1.0:1/1.2:1/2.0:1/2.1:1", 1'000'000);
  ASSERT_EQ(found.size(), 7U);
  EXPECT_NEAR(found[0], 0.26, near);         // a quarter, directly
  EXPECT_GT(found[1], 0.01 + 0.01 + 0.15);   // three quarters, over two lines that others use too
  EXPECT_LT(found[1], 0.01 + 0.01 + 0.375);  // none of which carries more than 1.75 MB
  EXPECT_NEAR(found[3], 1.01, near);         // all, over the slow line
}

TEST(WayEnds, AreNotKnownOfScansSumsThatSitesExchangeAndBundles) {
  EXPECT_FALSE(has_way_ends(Collective::scan, {}));
  const Packing trees = parse_plan(Collective::broadcast, "packed:packing=0.0.0:1").parameters.packing;
  EXPECT_TRUE(has_way_ends(Collective::broadcast, trees));
  EXPECT_FALSE(has_way_ends(Collective::allreduce, trees));
  const Packing bundles = parse_plan(Collective::alltoall, "packed:packing=0.1*:1/1.0*:1").parameters.packing;
  EXPECT_FALSE(has_way_ends(Collective::alltoall, bundles));
}

}  // namespace
}  // namespace isthmus
