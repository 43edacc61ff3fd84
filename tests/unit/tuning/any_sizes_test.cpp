// An alltoallv by the plan that is chosen for blocks of the average size: what the drop-in does once ranks have told
// each other all sizes, whatever these are.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/network/placed_network.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/meshes.hpp"

namespace isthmus {
namespace {

constexpr int site_count = 6, site_size = 4, all_ranks = site_count * site_size;
constexpr std::int64_t block_bytes = 65536;

using SizeOf = std::function<std::int64_t(int from, int to)>;

Problem problem_with(const SizeOf& size_of) {
  Problem problem{.collective = Collective::alltoallv, .counts = {}};
  for (int from = 0; from < all_ranks; ++from)
    for (int to = 0; to < all_ranks; ++to) problem.counts.push_back(size_of(from, to));
  return problem;
}

double seconds_of(const PlacedNetwork& placed, const Plan& plan, const Problem& problem) {
  return replay(placed, 1, source(plan, placed.topology(), problem)).seconds;
}

TEST(AnySizes, ThePlanForTheAverageIsNeverSlowerThanStraight) {
  std::mt19937 random(1);
  const auto site = [](int rank) { return rank / site_size; };
  const std::vector<std::pair<std::string, SizeOf>> patterns = {
      {"up to twice the average", [&](int, int) { return static_cast<std::int64_t>(random() % (2 * block_bytes)); }},
      {"one block in ten", [&](int, int) { return random() % 10 == 0 ? 10 * block_bytes : 0; }},
      {"to the next site",
       [&](int from, int to) { return (site(from) + 1) % site_count == site(to) ? 6 * block_bytes : 0; }},
      {"to one site", [&](int, int to) { return site(to) == 0 ? 6 * block_bytes : 0; }},
      {"from one site to another",
       [&](int from, int to) { return site(from) == 0 && site(to) == 5 ? 36 * block_bytes : 0; }},
      {"one block", [](int from, int to) { return from == 0 && to == 5 ? 100 * block_bytes : 0; }},
      {"powers of two", [&](int, int) { return (block_bytes >> random() % 10) * 5; }}};
  int quicker_by_half = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    std::mt19937 of_mesh(seed);
    const tests::Mesh mesh = tests::random_mesh(std::vector<int>(site_count, site_size), of_mesh);
    const PlacedNetwork placed(mesh.network, place_ranks(mesh.network, PlacementRule::block, 1));
    for (const auto& [words, size_of] : patterns) {
      const Problem problem = problem_with(size_of);
      const std::int64_t all = std::reduce(problem.counts.begin(), problem.counts.end());
      const Problem average{.collective = Collective::alltoallv,
                            .count = std::max<std::int64_t>(1, all / all_ranks / all_ranks)};
      constexpr std::int64_t effort_messages = 65536;  // as the drop-in has it
      const double chosen_s = seconds_of(placed, choose(placed, average, effort_messages).plan, problem);
      const double straight_s = seconds_of(placed, {&algorithm_named(Collective::alltoallv, "far-first"), {}}, problem);
      EXPECT_LE(chosen_s, straight_s * 1.001) << words << ", mesh " << seed;
      if (straight_s > 1.5 * chosen_s) ++quicker_by_half;
    }
  }
  EXPECT_GE(quicker_by_half, 18);  // of 28
}

}  // namespace
}  // namespace isthmus
