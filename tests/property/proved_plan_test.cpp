// Every plan of every collective but the broadcasts (broadcast_test.cpp) is proved, and none of its operations is idle.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <string>

#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

/// Whether an algorithm keeps the order of operands: in every grouping, only if the ranks of outermost groups are
/// consecutive, or never.
enum class Order { kept, kept_in_contiguous_groups, lost };

/// The order that an algorithm must keep: algorithms that promise one, and multilevel ones with given trees. All others
/// are proved for the operators that they serve.
std::optional<Order> promised_order(const PlanCase& which) {
  static const std::map<std::string, Order> promises = {
      {"reduce/flat", Order::kept},
      {"reduce/chain", Order::kept},
      {"reduce/k-chain", Order::kept},
      {"reduce/binary", Order::lost},
      {"reduce/in-order-binary", Order::kept},
      {"reduce/binomial", Order::kept},
      {"reduce/bine", Order::lost},
      {"reduce/rabenseifner", Order::kept},
      {"reduce/multilevel", Order::kept},
      {"reduce/multilevel-shared", Order::kept_in_contiguous_groups},
      {"reduce/multipath", Order::lost},
      {"allreduce/recursive-doubling", Order::kept},
      {"allreduce/ring", Order::lost},
      {"allreduce/segmented-ring", Order::lost},
      {"allreduce/rabenseifner", Order::kept},
      {"allreduce/reduce-broadcast", Order::kept},
      {"allreduce/multilevel", Order::kept},
      {"allreduce/multilevel-exchange", Order::kept},
      {"allreduce/multilevel-shared", Order::kept_in_contiguous_groups},
      {"reduce_scatter/ring", Order::lost},
      {"reduce_scatter/recursive-halving", Order::lost},
      {"reduce_scatter/butterfly", Order::kept},
      {"reduce_scatter/pairwise", Order::kept},
      {"reduce_scatter/multilevel", Order::kept},
      {"scan/linear", Order::kept},
      {"scan/recursive-doubling", Order::kept},
      {"scan/multilevel", Order::kept},
  };
  for (const char* given : {"levels=", "inside="})
    if (which.plan.find(given) != std::string::npos) return Order::lost;
  Collective collective = which.collective;
  if (collective == Collective::reduce_scatter_block) collective = Collective::reduce_scatter;
  if (collective == Collective::exscan) collective = Collective::scan;
  const auto found = promises.find(fmt::format("{}/{}", name(collective), which.parsed().algorithm->id));
  return found == promises.end() ? std::nullopt : std::optional(found->second);
}

class ProvedPlan : public ::testing::TestWithParam<PlanCase> {};

TEST_P(ProvedPlan, OverSizesRootsCountsAndGroupings) {
  const auto& [collective, plan] = GetParam();
  const CollectiveSweep sweep = prove_all(collective, plan, quick_range());
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
  const std::optional<Order> order = promised_order(GetParam());
  if (!has_operator(collective) || !order) return;
  const std::int64_t with_order = 2 * sweep.proofs_in_order;
  EXPECT_EQ(with_order == sweep.proofs, order == Order::kept);
  EXPECT_EQ(with_order == 0, order == Order::lost);
}

TEST_P(ProvedPlan, OverRandomNestedGroupings) {
  const Collective collective = GetParam().collective;
  Plan plan = GetParam().parsed();
  if (!plan.algorithm->uses_groups) return;
  std::mt19937 random(3);
  CollectiveSweep sweep;
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < 40 && sweep.failure.empty(); ++round) {
    if (takes(*plan.algorithm, "segment")) plan.parameters.segment_bytes = round % 2 == 0 ? 0 : 16;
    const int size = 1 + below(33);
    const Grouping grouping{fmt::format("grouping {}", round), random_topology(size, random)};
    for (const Problem& problem : sweep_problems(collective, size, carries_data(collective) ? 1 + below(50) : 0,
                                                 has_root(collective) ? below(size) : 0))
      if (sweep.failure.empty() && serves(plan, grouping.topology, problem)) prove(plan, grouping, problem, sweep);
  }
  EXPECT_EQ(sweep.failure, "");
  EXPECT_GT(sweep.proofs, 0);
}

TEST_P(ProvedPlan, NeedsEveryOneOfItsOperations) {
  const Collective collective = GetParam().collective;
  // Tokens are combined by OR: a token that arrives twice may be removed once unnoticed.
  if (!carries_data(collective)) return;
  const Topology topology = grouped(7, [](int rank) { return Path{std::to_string(rank / 3)}; });
  const Problem problem{.collective = collective, .count = 9, .root = has_root(collective) ? 4 : 0};
  Plan plan = GetParam().parsed();
  if (takes(*plan.algorithm, "segment")) plan.parameters.segment_bytes = 2;
  expect_no_idle_operation(schedule_of(plan, topology, problem), contract_of(problem, topology.size()));
}

TEST_P(ProvedPlan, SendsNothingWhereThereIsNobodyElse) {
  const Collective collective = GetParam().collective;
  const Problem problem{.collective = collective, .count = carries_data(collective) ? 7 : 0};
  const Schedule schedule = schedule_of(GetParam().parsed(), Topology::flat(1), problem);
  EXPECT_EQ(census(schedule, 1).total, Traffic{});
}

INSTANTIATE_TEST_SUITE_P(Of, ProvedPlan, ::testing::ValuesIn(plans_beside_broadcasts()), case_name);

}  // namespace
}  // namespace isthmus::tests
