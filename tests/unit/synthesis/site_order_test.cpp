// The packing of a network does not depend on the order in which its sites are listed.
#include "algorithms/synthesis/site_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "algorithms/synthesis/synthesis.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

SiteNetwork as_sites(const Network& network) {
  return SiteNetwork({network, place_ranks(network, PlacementRule::block, 1)});
}

/// The same mesh, with its site order[i] listed as number i.
tests::RandomMesh listed(const tests::RandomMesh& mesh, const std::vector<int>& order) {
  tests::RandomMesh other = mesh;
  for (std::size_t i = 0; i < order.size(); ++i) {
    other.sizes[i] = mesh.sizes[order[i]];
    other.lan_MBps[i] = mesh.lan_MBps[order[i]];
    for (std::size_t j = 0; j < order.size(); ++j) {
      other.rate[i][j] = mesh.rate[order[i]][order[j]];
      other.latency[i][j] = mesh.latency[order[i]][order[j]];
    }
  }
  return other;
}

TEST(SiteOrder, APackingDoesNotDependOnTheListing) {
  std::mt19937 random(5);
  for (std::size_t seed = 1; seed <= tests::random_meshes().size(); ++seed) {
    const tests::RandomMesh mesh = tests::random_meshes()[seed - 1];
    std::vector<int> order(mesh.sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    const SiteNetwork one = as_sites(tests::network_of(mesh));
    const SiteNetwork other = as_sites(tests::network_of(listed(mesh, order)));
    for (const Collective collective : collectives()) {
      if (!carries_data(collective) || is_scan(collective)) continue;
      Problem problem{.collective = collective, .count = 1 << 20};
      problem.root = one.site(order.front()).ranks.front();
      Problem same = problem;
      same.root = other.site(0).ranks.front();
      if (!has_root(collective)) problem.root = same.root = 0;
      const Synthesis a = synthesise_with_piece(one, problem), b = synthesise_with_piece(other, same);
      const WayKind kind = commodities_of(one, problem).kind;
      EXPECT_EQ(a.seconds, b.seconds) << name(collective) << ", mesh " << seed;
      EXPECT_EQ(a.packing, with_former_numbers(b.packing, kind, order)) << name(collective) << ", mesh " << seed;
    }
  }
}

TEST(SiteOrder, SitesThatAreAlikeKeepTheirOrder) {
  tests::Mesh mesh({3, 3, 3, 3});
  mesh.join_all(1e6, 10e-3);
  const SiteNetwork network = as_sites(mesh.network);
  const Commodities commodities = commodities_of(network, {.collective = Collective::allgather, .count = 1000});
  EXPECT_EQ(sorted_sites(network, commodities), (std::vector<int>{0, 1, 2, 3}));
}

TEST(SiteOrder, TheSitesOfAScanKeepTheirOrder) {
  const SiteNetwork network = as_sites(tests::network_of(tests::random_meshes()[2]));
  const std::vector<int> order =
      sorted_sites(network, commodities_of(network, {.collective = Collective::scan, .count = 1000}));
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

}  // namespace
}  // namespace isthmus
