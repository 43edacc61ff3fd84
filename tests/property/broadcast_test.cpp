// Every broadcast plan is proved: matched, free of deadlock even when all sends are synchronous, race-free, and right.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "algorithms/catalog.hpp"
#include "tests/support/broadcast_sweep.hpp"
#include "tests/support/collective_cases.hpp"

namespace isthmus {
namespace {

std::string case_name(const ::testing::TestParamInfo<std::string>& plan) { return tests::test_name(plan.param); }

class BroadcastPlan : public ::testing::TestWithParam<std::string> {};

TEST_P(BroadcastPlan, IsProvedForEveryRootOfSmallSizes) {
  const std::vector<int> sizes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17};
  const tests::Sweep sweep = tests::prove_all(GetParam(), sizes);
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
}

TEST_P(BroadcastPlan, IsProvedForSomeRootsOfLargerSizes) {
  tests::Sweep sweep;
  for (const int size : {31, 33, 64}) {
    const std::vector<int> roots = {0, 1, size / 3, size - 1};
    for (const tests::Grouping& grouping : tests::groupings(size))
      if (sweep.failure.empty()) tests::prove(GetParam(), grouping, roots, sweep);
  }
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
}

TEST_P(BroadcastPlan, NeedsEveryOneOfItsOperations) {
  const Topology topology = tests::grouped(7, [](int rank) { return tests::Path{std::to_string(rank / 3)}; });
  const Problem problem{.count = 9, .root = 4};
  Plan plan = parse_plan(Collective::broadcast, GetParam());
  if (takes(*plan.algorithm, "segment")) plan.parameters.segment_bytes = 2;
  tests::expect_no_idle_operation(tests::schedule_of(plan, topology, problem), contract_of(problem, topology.size()));
}

INSTANTIATE_TEST_SUITE_P(Of, BroadcastPlan, ::testing::ValuesIn(tests::plans_of(Collective::broadcast)), case_name);

class BroadcastPlanOverGroups : public ::testing::TestWithParam<std::string> {};

TEST_P(BroadcastPlanOverGroups, IsProvedForRandomNestedGroupings) {
  std::mt19937 random(2);
  tests::Sweep sweep;
  for (int round = 0; round < 60 && sweep.failure.empty(); ++round) {
    const int size = 1 + static_cast<int>(random() % 40);
    const std::vector<int> roots = {static_cast<int>(random() % static_cast<unsigned>(size))};
    tests::prove(GetParam(), {fmt::format("grouping {}", round), tests::random_topology(size, random)}, roots, sweep);
  }
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
}

std::vector<std::string> plans_over_groups() {
  std::vector<std::string> plans = tests::plans_of(Collective::broadcast);
  std::erase_if(
      plans, [](const std::string& plan) { return !parse_plan(Collective::broadcast, plan).algorithm->uses_groups; });
  return plans;
}

INSTANTIATE_TEST_SUITE_P(Of, BroadcastPlanOverGroups, ::testing::ValuesIn(plans_over_groups()), case_name);

}  // namespace
}  // namespace isthmus
