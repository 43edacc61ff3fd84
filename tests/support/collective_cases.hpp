// What is proved of every plan of a collective, and what is counted of those that know of groups. A test program lists
// its plans as PlanCases and instantiates ProvedPlan with them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <random>
#include <set>

#include "algorithms/schedule/census.hpp"
#include "algorithms/topology/clusters.hpp"
#include "tests/support/collective_sweep.hpp"

namespace isthmus::testing {

/// What becomes of the order of operands: kept in every grouping, kept where the ranks of outermost groups are
/// consecutive, or lost. Meaningless without an operator.
enum class Order { kept, kept_in_contiguous_groups, lost };

struct PlanCase {
  Collective collective;
  std::string plan;
  Order order = Order::lost;
  bool knows_groups = false;
};

inline std::ostream& operator<<(std::ostream& out, const PlanCase& which) {
  return out << name(which.collective) << "/" << which.plan;
}

inline std::string case_name(const ::testing::TestParamInfo<PlanCase>& which) {
  return test_name(fmt::format("{}_{}", name(which.param.collective), which.param.plan));
}

inline Schedule schedule_of(const Plan& plan, const Topology& topology, const Problem& problem) {
  check(plan, topology, problem);
  return materialise(topology.size(), source(plan, topology, problem));
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

/// That no algorithm of the collective is missing among the cases.
inline void expect_whole_catalogue(Collective collective, const std::vector<PlanCase>& cases) {
  std::set<std::string_view> covered;
  for (const PlanCase& which : cases)
    if (which.collective == collective) covered.insert(parse_plan(collective, which.plan).algorithm->id);
  for (const Algorithm* algorithm : algorithms_of(collective))
    EXPECT_TRUE(covered.contains(algorithm->id)) << algorithm->id << " is not among the plans that are proved";
}

/// A topology with its clusters, to count what crosses between them.
struct Sites {
  std::string name;
  Topology topology;
  int clusters = 0;
  bool contiguous = false;

  int cluster_of(int rank) const { return Clusters(topology, rank).self(); }
  std::vector<int> cluster_sizes() const {
    const Clusters all(topology, 0);
    std::vector<int> sizes;
    for (int cluster = 0; cluster < all.size(); ++cluster) sizes.push_back(static_cast<int>(all.ranks(cluster).size()));
    return sizes;
  }
};

inline std::vector<Sites> sites_of(int size) {
  std::vector<Sites> all;
  for (Grouping& grouping : groupings(size)) {
    if (grouping.topology.group(0).children.empty()) continue;
    const int clusters = Clusters(grouping.topology, 0).size();
    const bool contiguous = has_contiguous_children(grouping.topology, 0);
    all.push_back({grouping.name, std::move(grouping.topology), clusters, contiguous});
  }
  return all;
}

/// What crosses between clusters, and how many such messages follow from each other at most.
struct WideArea {
  Traffic traffic;
  int links_in_a_row = 0;
  Census census;
};

inline WideArea wide_area_of(std::string_view plan, const Sites& sites, const Problem& problem) {
  const Schedule schedule = schedule_of(parse_plan(problem.collective, plan), sites.topology, problem);
  std::vector<int> cluster;
  for (int rank = 0; rank < sites.topology.size(); ++rank) cluster.push_back(sites.cluster_of(rank));
  const auto crosses = [&](int a, int b) { return cluster[a] != cluster[b]; };
  WideArea wide;
  wide.census = census(schedule, problem.element_bytes);
  wide.traffic = crossing(wide.census, crosses);
  wide.links_in_a_row = longest_chain(schedule, crosses);
  return wide;
}

}  // namespace isthmus::testing
