#include "algorithms/synthesis/known_ways.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "algorithms/synthesis/commodities.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/random_meshes.hpp"

namespace isthmus {
namespace {

constexpr Collective along_trees[] = {Collective::broadcast, Collective::reduce, Collective::allreduce,
                                      Collective::allgather, Collective::reduce_scatter_block};
constexpr Collective along_paths[] = {Collective::alltoall, Collective::scatter, Collective::gather};

SiteNetwork site_network(const Network& network) {
  return SiteNetwork({network, place_ranks(network, PlacementRule::block, 1)});
}

Problem problem_of(Collective collective, std::int64_t bytes) { return {.collective = collective, .count = bytes}; }

TEST(KnownWays, NoForecastIsBelowTheLeastTime) {
  std::mt19937 random(5);
  for (const std::vector<int>& hosts : {std::vector<int>{1, 3, 2, 1, 2}, {4, 4, 4}, {1, 1, 1, 1}}) {
    const SiteNetwork network = site_network(tests::random_mesh(hosts, random).network);
    const auto look = [&](Collective collective) {
      const KnownWays known(network, commodities_of, problem_of(collective, 1));
      for (const std::int64_t bytes : {8, 1 << 12, 1 << 16, 1 << 20}) {
        const Problem problem = problem_of(collective, bytes);
        const double least_s = known.least_s(problem) * (1 - 1e-9);
        EXPECT_GT(least_s, 0) << name(collective);
        EXPECT_LE(least_s, synthesise_with_piece(network, problem).seconds) << name(collective) << bytes;
        EXPECT_LE(least_s, known.synthesis(problem).seconds) << name(collective) << bytes;
      }
    };
    std::ranges::for_each(along_trees, look);
    std::ranges::for_each(along_paths, look);
    const KnownWays exchange(network, sums_of_sites, problem_of(Collective::allreduce, 1));
    for (const std::int64_t bytes : {8, 1 << 12, 1 << 20}) {
      const Problem problem = problem_of(Collective::allreduce, bytes);
      EXPECT_LE(exchange.least_s(problem) * (1 - 1e-9), synthesise_exchange(network, problem).seconds) << bytes;
    }
  }
}

TEST(KnownWays, NoForecastWithRelaysIsBelowTheirLeastTime) {
  std::mt19937 random(6);
  int relayed = 0;
  for (int mesh = 0; mesh < 10; ++mesh) {
    const SiteNetwork network = site_network(tests::random_mesh({1, 3, 2, 2}, random).network);
    const KnownWays known(network, sums_of_sites, problem_of(Collective::allreduce, 1));
    for (const std::int64_t bytes : {1, 1 << 12, 1 << 18}) {
      const Synthesis made = known.synthesis(problem_of(Collective::allreduce, bytes));
      if (goes_straight(made.packing)) continue;
      ++relayed;
      EXPECT_LE(known.least_relayed_s() * (1 - 1e-9), made.seconds) << "mesh " << mesh << ", " << bytes;
    }
  }
  EXPECT_GT(relayed, 10);
}

TEST(KnownWays, LoseLittleAgainstASynthesisForEachSize) {
  std::vector<double> losses;
  for (const std::size_t mesh : {0u, 3u, 8u}) {
    const SiteNetwork network = site_network(tests::network_of(tests::random_meshes()[mesh], 78));
    const auto look = [&](Collective collective) {
      const KnownWays known(network, commodities_of, problem_of(collective, 1));
      for (const std::int64_t bytes : {8, 700, 6000, 1 << 14, 100'000, 1 << 19, 5'000'000, 1 << 26}) {
        const Problem problem = problem_of(collective, bytes);
        losses.push_back(known.synthesis(problem).seconds / synthesise_with_piece(network, problem).seconds - 1);
        EXPECT_LT(losses.back(), 0.07) << name(collective) << " of " << bytes << ", mesh " << mesh;
      }
    };
    std::ranges::for_each(along_trees, look);
    look(Collective::alltoall);
  }
  double sum = 0;
  for (const double loss : losses) sum += loss;
  EXPECT_LT(sum / static_cast<double>(losses.size()), 0.005);
}

TEST(KnownWays, DoNotDependOnWhatWasAskedBefore) {
  const SiteNetwork network = site_network(tests::network_of(tests::random_meshes()[4], 78));
  for (const Collective collective : along_trees) {
    const KnownWays one(network, commodities_of, problem_of(collective, 8)),
        other(network, commodities_of, problem_of(collective, 1 << 20));
    for (const std::int64_t bytes : {8, 1 << 22}) other.synthesis(problem_of(collective, bytes));
    const Problem problem = problem_of(collective, 1 << 16);
    const Synthesis first = one.synthesis(problem), later = other.synthesis(problem);
    EXPECT_EQ(first.packing, later.packing) << name(collective);
    EXPECT_EQ(first.piece_bytes, later.piece_bytes) << name(collective);
    EXPECT_EQ(first.seconds, later.seconds) << name(collective);
  }
}

}  // namespace
}  // namespace isthmus
