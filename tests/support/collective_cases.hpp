// Plans as parameters of tests, and counts for those that use groups.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <random>
#include <set>

#include "algorithms/catalog.hpp"
#include "algorithms/schedule/census.hpp"
#include "algorithms/schedule/dependencies.hpp"
#include "algorithms/topology/clusters.hpp"
#include "tests/support/catalog_plans.hpp"
#include "tests/support/collective_sweep.hpp"

namespace isthmus::tests {

/// A plan of a collective, as text.
struct PlanCase {
  Collective collective;
  std::string plan;

  Plan parsed() const { return parse_plan(collective, plan); }
};

/// Every plan of all collectives but the broadcasts (broadcast_sweep.hpp).
inline std::vector<PlanCase> plans_beside_broadcasts() {
  std::vector<PlanCase> all;
  for (const Collective collective : collectives())
    if (collective != Collective::broadcast)
      for (const std::string& plan : plans_of(collective)) all.push_back({collective, plan});
  return all;
}

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

/// The longest chain of messages that depend on each other, on a flat topology with blocks of 5 elements.
inline int steps_of(Collective collective, std::string_view plan, int size) {
  const Problem problem{.collective = collective, .count = 5};
  return longest_chain(schedule_of(parse_plan(collective, plan), Topology::flat(size), problem));
}

/// Whether an earlier operation writes what the operation reads.
inline bool is_written_before(const Program& program, std::size_t op) {
  Dependencies needed;
  derive(program, needed);
  return !needed.after(static_cast<int>(op)).empty();
}

/// Every operation of a proved schedule is needed: without any one of them the proof fails.
inline void expect_no_idle_operation(const Schedule& schedule, const Contract& contract) {
  ASSERT_EQ(verify(schedule, contract).message(), "");
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    for (std::size_t op = 0; op < schedule[rank].ops().size(); ++op) {
      if (schedule[rank].ops()[op].kind == OpKind::wait) {  // moves nothing; it has to have something to wait for
        EXPECT_TRUE(is_written_before(schedule[rank], op)) << "operation " << op << " of rank " << rank;
        continue;
      }
      Schedule broken = schedule;
      std::vector<Op>& ops = broken[rank].mutable_ops();
      ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(op));
      EXPECT_FALSE(verify(broken, contract).ok()) << "without operation " << op << " of rank " << rank;
    }
  }
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

/// The elements that have to cross between clusters in a gather or a scatter: the blocks of all ranks outside the
/// root's.
inline std::int64_t min_wide_area_count(const Sites& sites, const Problem& problem) {
  std::int64_t elements = 0;
  for (int rank = 0; rank < sites.topology.size(); ++rank)
    if (sites.cluster_of(rank) != sites.cluster_of(problem.root)) elements += block_count(problem, rank);
  return elements;
}

/// The messages and elements between clusters, and the longest chain of such messages that depend on each other.
struct WideArea {
  Traffic traffic;
  int links_in_a_row = 0;
  Census census;
};

/// The bytes that each rank sends to other clusters.
inline std::vector<std::int64_t> sent_to_other_clusters(const WideArea& wide, const Sites& sites) {
  std::vector<std::int64_t> sent(sites.topology.size());
  for (const PairCensus& pair : wide.census.pairs)
    if (sites.cluster_of(pair.source) != sites.cluster_of(pair.destination)) sent[pair.source] += pair.traffic.bytes;
  return sent;
}

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

}  // namespace isthmus::tests
