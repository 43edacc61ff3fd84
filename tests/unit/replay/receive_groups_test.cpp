// The ends of groups of receives are those that a timeline has, by both engines of the replay.
#include "algorithms/schedule/receive_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/replay/replay.hpp"
#include "tests/support/catalog_plans.hpp"
#include "tests/support/networks.hpp"
#include "tests/support/problems.hpp"

namespace isthmus {
namespace {

constexpr int groups = 3;

/// Every fourth receive is in no group.
int group_of(int rank, int op) {
  const int number = (rank + op) % (groups + 1);
  return number < groups ? number : -1;
}

/// The same programs, whose receives are put into groups.
ProgramSource grouped(const ProgramSource& programs, ReceiveGroups& receives) {
  return [&](int rank, Program& program) {
    programs(rank, program);
    std::vector<int>& of_op = receives.of_op[rank];
    for (int op = 0; op < static_cast<int>(program.ops().size()); ++op)
      of_op.push_back(program.ops()[op].kind == OpKind::receive ? group_of(rank, op) : -1);
  };
}

std::vector<double> ends_in(const Timeline& timeline, const ReceiveGroups& receives) {
  std::vector<double> ends(groups);
  for (const TimedOp& one : timeline)
    if (const int group = receives.of_op[one.rank][one.op]; group >= 0) ends[group] = std::max(ends[group], one.end_s);
  return ends;
}

void expect_same_ends(const Network& network) {
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  int with_ends = 0;
  for (const Collective collective : collectives())
    for (const std::string& text : tests::plans_of(collective)) {
      const Problem problem = tests::problem_of(collective, 1000);
      const Plan plan = parse_plan(collective, text);
      if (!serves(plan, placed.topology(), problem)) continue;
      const ProgramSource programs = source(plan, placed.topology(), problem);
      ReceiveGroups receives{groups, std::vector<std::vector<int>>(placed.size())};
      const Replay timed = replay(placed, problem.element_bytes, grouped(programs, receives), {.groups = &receives});
      const Timeline timeline = replay(placed, problem.element_bytes, programs, {.with_timeline = true}).timeline;
      ASSERT_EQ(timed.group_end_s, ends_in(timeline, receives)) << name(collective) << "/" << text;
      with_ends += std::ranges::max(timed.group_end_s) > 0;
    }
  EXPECT_GT(with_ends, 100);
}

TEST(ReceiveGroups, EndAsInTheTimelineWhereNothingButLinksTakesTime) { expect_same_ends(tests::das(3, 3)); }

TEST(ReceiveGroups, EndAsInTheTimelineWhereProcessorsAndFramesTakeTime) {
  Network network = tests::das(3, 3);
  network.transport = tcp_over_ethernet();
  network.transport.reduction_s_per_byte = 1e-9;
  network.transport.eager_bytes = 2000;
  expect_same_ends(network);
}

TEST(ReceiveGroups, AreNotAskedForUnlessGiven) {
  const Network network = tests::das(2, 2);
  const PlacedNetwork placed(network, place_ranks(network, PlacementRule::block, 1));
  const Problem problem = tests::problem_of(Collective::broadcast, 10);
  const Plan plan = parse_plan(Collective::broadcast, "binomial");
  EXPECT_TRUE(replay(placed, 1, source(plan, placed.topology(), problem)).group_end_s.empty());
}

}  // namespace
}  // namespace isthmus
