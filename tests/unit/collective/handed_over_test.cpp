// Plans that hand a level to the MPI: what is left to exchange, and which plans may.
#include "algorithms/collective/handed_over.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Three sites of machines, ranks dealt in turn; rank 6 has no machine, rank 7 no site.
Topology sites_of_machines() {
  return Topology::from_paths(
      {{"a", "m"}, {"b", "m"}, {"c", "m"}, {"a", "m"}, {"b", "n"}, {"a", "n"}, {"b"}, {}, {"c", "m"}, {"a", "m"}});
}

using Message = std::tuple<OpKind, int, std::int64_t>;

/// The messages of a program with ranks outside a list.
std::vector<Message> messages_outside(const Program& program, const std::vector<int>& ranks) {
  std::vector<Message> found;
  for (const Op& op : program.ops())
    if (op.peer >= 0 && !std::ranges::binary_search(ranks, op.peer))
      found.emplace_back(op.kind, op.peer, op.kind == OpKind::send ? op.from.count : op.to.count);
  return found;
}

std::string refusal_of_plan(Collective collective, const std::string& text) {
  try {
    parse_plan(collective, text);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "";
}

struct Case {
  Collective collective;
  const char* plan;
};

TEST(HandedOver, CoordinatorsExchangeTheMessagesOfThePlanOfTrees) {
  const Topology topology = sites_of_machines();
  for (const Case& each : {Case{Collective::broadcast, "multilevel:levels=linear/mpi"},
                           Case{Collective::broadcast, "multilevel:levels=binomial/chain/mpi"},
                           Case{Collective::broadcast, "multilevel:levels=chain/mpi,merged=2"},
                           Case{Collective::reduce, "multilevel:levels=linear/mpi"},
                           Case{Collective::reduce, "multilevel:levels=chain/linear/mpi"},
                           Case{Collective::allreduce, "multilevel:levels=linear/binary/mpi"},
                           Case{Collective::allreduce, "multilevel-exchange:inside=mpi"},
                           Case{Collective::barrier, "multilevel:inside=mpi"}}) {
    const Plan plan = parse_plan(each.collective, each.plan);
    for (int root = 0; root < (has_root(each.collective) ? topology.size() : 1); ++root) {
      const Problem problem{
          .collective = each.collective, .count = carries_data(each.collective) ? 5 : 0, .root = root};
      check(plan, topology, problem);
      for (int rank = 0; rank < topology.size(); ++rank) {
        Program trees;
        source(plan, topology, problem)(rank, trees);
        const auto over = hand_over(plan, topology, problem, rank);
        ASSERT_TRUE(over);
        EXPECT_EQ(messages_outside(over->between, {}), messages_outside(trees, over->ranks))
            << each.plan << " root " << root << " rank " << rank;
      }
    }
  }
}

TEST(HandedOver, TheGroupAndItsCoordinator) {
  const Topology topology = sites_of_machines();
  const Problem problem{.collective = Collective::broadcast, .count = 1, .root = 9};
  const Plan sites = parse_plan(Collective::broadcast, "multilevel:levels=linear/mpi");
  const Plan machines = parse_plan(Collective::broadcast, "multilevel:levels=linear/linear/mpi");
  EXPECT_THAT(hand_over(sites, topology, problem, 3)->ranks, ElementsAre(0, 3, 5, 9));
  EXPECT_EQ(hand_over(sites, topology, problem, 3)->coordinator, 3);
  EXPECT_THAT(hand_over(machines, topology, problem, 3)->ranks, ElementsAre(0, 3, 9));
  EXPECT_THAT(hand_over(machines, topology, problem, 6)->ranks, ElementsAre(6));
  EXPECT_THAT(hand_over(sites, topology, problem, 7)->ranks, ElementsAre(7));
  EXPECT_FALSE(hand_over(sites, Topology::flat(4), {.collective = Collective::broadcast, .count = 1}, 0));
  EXPECT_FALSE(hand_over(parse_plan(Collective::broadcast, "multilevel"), topology, problem, 0));
}

TEST(HandedOver, TheScheduleIsThatOfBinomialTrees) {
  const Plan plan = parse_plan(Collective::broadcast, "multilevel:levels=linear/mpi");
  EXPECT_EQ(to_string(with_tree_inside(plan)), "multilevel:levels=linear/binomial");
  EXPECT_EQ(to_string(with_tree_inside(parse_plan(Collective::barrier, "multilevel:inside=mpi"))), "multilevel");
  const Problem problem{.collective = Collective::broadcast, .count = 3, .root = 4};
  const Topology topology = sites_of_machines();
  const Plan trees = with_tree_inside(plan);
  EXPECT_EQ(materialise(topology.size(), source(plan, topology, problem)),
            materialise(topology.size(), source(trees, topology, problem)));
}

TEST(HandedOver, WhatCannotBeHandedOverIsRefused) {
  EXPECT_THAT(refusal_of_plan(Collective::broadcast, "multilevel:levels=mpi"), HasSubstr("inside the outermost"));
  EXPECT_THAT(refusal_of_plan(Collective::broadcast, "multilevel:levels=linear/mpi/chain"), HasSubstr("as the last"));
  EXPECT_THAT(refusal_of_plan(Collective::broadcast, "multilevel:segment=8Ki,levels=linear/mpi"),
              HasSubstr("segment=none would be right"));
  EXPECT_THAT(refusal_of_plan(Collective::gather, "multilevel:levels=linear/mpi"),
              HasSubstr("broadcast, reduce, allreduce and barrier do"));
  EXPECT_THAT(refusal_of_plan(Collective::broadcast, "eco:patterns=mpi"), HasSubstr("no tree algorithm `mpi`"));
  EXPECT_THAT(refusal_of_plan(Collective::barrier, "multilevel:inside=chain"), HasSubstr("inside=chain: `mpi`"));
  const Problem in_order{.collective = Collective::allreduce, .count = 1, .commutative = false};
  EXPECT_FALSE(
      serves(parse_plan(Collective::allreduce, "multilevel-exchange:inside=mpi"), sites_of_machines(), in_order));
  EXPECT_FALSE(
      serves(parse_plan(Collective::allreduce, "multilevel:levels=linear/mpi"), sites_of_machines(), in_order));
}

}  // namespace
}  // namespace isthmus
