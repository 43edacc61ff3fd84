// Packings that are made for random networks, of all kinds that the choice tries, are proved.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/packed/sites.hpp"
#include "algorithms/schedule/verify.hpp"
#include "algorithms/tuning/trials/packed_plans.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/rated_collectives.hpp"

namespace isthmus {
namespace {

constexpr int networks = 1000;
constexpr std::int64_t large = 200'000;
constexpr std::int64_t counts[] = {0, 1, 7, 97, large};

/// Two to five sites of one to five hosts, whose own links are as wide as those between sites or much wider.
PlacedNetwork random_network(std::mt19937& random) {
  std::vector<int> hosts(2 + random() % 4);
  for (int& of_site : hosts) of_site = 1 + static_cast<int>(random() % 5);
  const double lan_Bps = random() % 2 == 0 ? 5e6 : 125e6;
  const Network network = tests::random_mesh(hosts, random, lan_Bps).network;
  return {network, place_ranks(network, PlacementRule::block, 1)};
}

/// The plan of the synthesis, or all that a search compares, with pieces straight inside sites and in another order
/// too, and those for few bytes.
std::vector<Plan> plans_for(const PlacedNetwork& placed, const Problem& problem, bool several) {
  const PackedPlans packed(placed);
  const Plan open = parse_plan(problem.collective, "packed");
  std::vector<Plan> plans{packed.completed(open, problem, true).plan};
  if (several) plans = packed.several(open, problem);
  if (PackedPlans::has_trees(plans.front())) plans.push_back(PackedPlans::straight_inside(plans.front()));
  if (problem.collective == Collective::allreduce) {
    plans.push_back(packed.with_exchanged_sums(open, problem).plan);
    plans.push_back(packed.several_exchanges(open, problem).back());  // with stripes
  }
  if (problem.collective != Collective::scan)
    plans.push_back(packed.longest_first(plans.front(), problem, several ? DueOrder::spread : DueOrder::late));
  if (problem.collective == Collective::alltoall) plans.push_back(packed.with_bundles(open, problem));
  if (problem.collective == Collective::broadcast || problem.collective == Collective::reduce)
    plans.push_back(packed.along_one_tree(open, problem).plan);
  return plans;
}

TEST(PackedPlans, OfAThousandRandomNetworksAreProved) {
  std::mt19937 random(1);
  Verifier verifier;
  int proofs = 0;
  std::vector<Collective> collectives(std::begin(tests::rated_collectives), std::end(tests::rated_collectives));
  collectives.push_back(Collective::scan);
  for (int number = 0; number < networks; ++number) {
    const PlacedNetwork placed = random_network(random);
    for (const Collective collective : collectives) {
      Problem problem{.collective = collective, .count = counts[number % 5], .element_bytes = 8};
      // One block of an alltoall is for one rank.
      if (collective == Collective::alltoall && problem.count == large) problem.count /= placed.size();
      if (has_root(collective)) problem.root = static_cast<int>(random() % static_cast<unsigned>(placed.size()));
      for (const Plan& plan : plans_for(placed, problem, number % 10 == 0)) {
        ASSERT_NO_THROW(check(plan, placed.topology(), problem)) << to_string(plan);
        const Schedule schedule = materialise(placed.size(), source(plan, placed.topology(), problem));
        const Verdict verdict = verifier.verify(schedule, contract_of(problem, placed.size()));
        ASSERT_TRUE(verdict.ok()) << "network " << number << ", " << name(collective) << "/" << to_string(plan)
                                  << ", count " << problem.count << ", root " << problem.root << ": "
                                  << verdict.message();
        ++proofs;
      }
    }
  }
  EXPECT_GT(proofs, 10 * networks);
}

}  // namespace
}  // namespace isthmus
