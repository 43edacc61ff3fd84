// Every plan of every collective but the broadcasts (broadcast_test.cpp) is proved, and none of its operations is idle.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/catalog.hpp"
#include "tests/support/moving_plans.hpp"
#include "tests/support/reduction_plans.hpp"

namespace isthmus::tests {
namespace {

std::vector<PlanCase> all_plans() {
  std::vector<PlanCase> all;
  for (const auto& plans : {gather_plans(), scatter_plans(), allgather_plans(), alltoall_plans(), barrier_plans(),
                            reduce_plans(), allreduce_plans(), reduce_scatter_plans(), scan_plans()})
    all.insert(all.end(), plans.begin(), plans.end());
  return all;
}

TEST(ProvedPlans, CoverTheWholeCatalogue) {
  std::set<std::pair<Collective, std::string_view>> covered;
  for (const PlanCase& which : all_plans())
    covered.insert({which.collective, parse_plan(which.collective, which.plan).algorithm->id});
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective == Collective::broadcast) continue;
    EXPECT_TRUE(covered.contains({algorithm.collective, algorithm.id}))
        << name(algorithm.collective) << "/" << algorithm.id;
  }
}

class ProvedPlan : public ::testing::TestWithParam<PlanCase> {};

TEST_P(ProvedPlan, OverSizesRootsCountsAndGroupings) {
  const auto& [collective, plan, order, knows_groups] = GetParam();
  const CollectiveSweep sweep = prove_all(collective, plan, quick_range(), knows_groups);
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
  if (!has_operator(collective)) return;
  const std::int64_t with_order = 2 * sweep.proofs_in_order;
  EXPECT_EQ(with_order == sweep.proofs, order == Order::kept);
  EXPECT_EQ(with_order == 0, order == Order::lost);
}

TEST_P(ProvedPlan, OverRandomNestedGroupings) {
  const auto& [collective, plan_text, order, knows_groups] = GetParam();
  if (!knows_groups) return;
  const Plan plan = parse_plan(collective, plan_text);
  std::mt19937 random(3);
  CollectiveSweep sweep;
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < 40 && sweep.failure.empty(); ++round) {
    const int size = 1 + below(33);
    const Grouping grouping{fmt::format("grouping {}", round), random_topology(size, random)};
    for (const Problem& problem :
         sweep_problems(collective, size, collective == Collective::barrier ? 0 : 1 + below(50),
                        has_root(collective) ? below(size) : 0))
      if (sweep.failure.empty() && serves(plan, grouping.topology, problem)) prove(plan, grouping, problem, sweep);
  }
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
}

TEST_P(ProvedPlan, NeedsEveryOneOfItsOperations) {
  const auto& [collective, plan_text, order, knows_groups] = GetParam();
  // An or of tokens has room for one more: what a round of a barrier brings twice is not missed once.
  if (collective == Collective::barrier) return;
  const Topology topology = grouped(7, [](int rank) { return Path{std::to_string(rank / 3)}; });
  const Problem problem{.collective = collective, .count = 9, .root = has_root(collective) ? 4 : 0};
  Plan plan = parse_plan(collective, plan_text);
  if (takes(*plan.algorithm, "segment")) plan.parameters.segment_bytes = 2;
  const Schedule schedule = schedule_of(plan, topology, problem);
  const Contract contract = contract_of(problem, topology.size());
  ASSERT_EQ(verify(schedule, contract).message(), "");
  for (int rank = 0; rank < topology.size(); ++rank) {
    for (std::size_t op = 0; op < schedule[rank].ops().size(); ++op) {
      Schedule broken = schedule;
      std::vector<Op>& ops = broken[rank].mutable_ops();
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(op));
      EXPECT_FALSE(verify(broken, contract).ok()) << "without operation " << op << " of rank " << rank;
    }
  }
}

TEST_P(ProvedPlan, SendsNothingWhereThereIsNobodyElse) {
  const auto& [collective, plan_text, order, knows_groups] = GetParam();
  const Problem problem{.collective = collective, .count = collective == Collective::barrier ? 0 : 7};
  const Schedule schedule = schedule_of(parse_plan(collective, plan_text), Topology::flat(1), problem);
  EXPECT_EQ(census(schedule, 1).total, Traffic{});
}

INSTANTIATE_TEST_SUITE_P(Of, ProvedPlan, ::testing::ValuesIn(all_plans()), case_name);

}  // namespace
}  // namespace isthmus::tests
