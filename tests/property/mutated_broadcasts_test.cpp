// Mutations of all broadcast schedules: every possible single mistake of some kinds is made and must be caught.
#include <gtest/gtest.h>

#include <string>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/collective/contract.hpp"
#include "algorithms/schedule/matching.hpp"
#include "algorithms/schedule/text.hpp"
#include "algorithms/schedule/verify.hpp"

namespace isthmus {
namespace {

constexpr int ranks = 9;
constexpr std::int64_t element_bytes = 4;

class MutatedBroadcasts : public ::testing::TestWithParam<std::string> {
 protected:
  MutatedBroadcasts() {
    Plan plan = parse_plan(Collective::broadcast, GetParam());
    if (plan.algorithm->parameters.find("segment") != std::string_view::npos)
      plan.parameters.segment_bytes = 4 * element_bytes;
    check(plan, topology, problem);
    schedule = materialise(ranks, source(plan, topology, problem));
  }

  /// Applies a change to one operation at a time, in a copy of the schedule. `change` returns whether it applied.
  template <class Change>
  void expect_all_caught(const char* what, Change change) {
    Verifier verifier;
    const Contract contract = contract_of(problem, ranks);
    ASSERT_EQ(verifier.verify(schedule, contract).message(), "");
    int changes = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (int op = 0; op < static_cast<int>(schedule[rank].ops().size()); ++op) {
        Schedule changed = schedule;
        if (!change(changed[rank].mutable_ops(), op)) continue;
        ++changes;
        EXPECT_FALSE(verifier.verify(changed, contract).ok())
            << what << " at rank " << rank << ", operation " << op << ": " << to_string(schedule[rank].ops()[op]);
      }
    EXPECT_GE(changes, ranks - 1);
  }

  static bool is_message(const Op& op) { return op.kind == OpKind::send || op.kind == OpKind::receive; }
  static Slice& slice_of(Op& op) { return op.kind == OpKind::send ? op.from : op.to; }

  const Topology topology = Topology::from_paths({{"a"}, {"a"}, {"a"}, {"b"}, {"b"}, {"c"}, {"b"}, {"c"}, {"c"}});
  const Problem problem{.collective = Collective::broadcast, .count = 22, .element_bytes = element_bytes, .root = 4};
  Schedule schedule;
};

TEST_P(MutatedBroadcasts, NoOperationCanBeDropped) {
  expect_all_caught("dropped", [](std::vector<Op>& ops, int op) {
    ops.erase(ops.begin() + op);
    return true;
  });
}

TEST_P(MutatedBroadcasts, NoMessageCanBeDropped) {
  Matching matching;
  matching.match(schedule);
  for (int rank = 0; rank < ranks; ++rank)
    for (int op = 0; op < static_cast<int>(schedule[rank].ops().size()); ++op) {
      const Op& send = schedule[rank].ops()[op];
      if (send.kind != OpKind::send) continue;
      Schedule changed = schedule;
      const int receive = matching.partner(matching.number(rank, op)) - matching.first(send.peer);
      changed[rank].mutable_ops().erase(changed[rank].mutable_ops().begin() + op);
      changed[send.peer].mutable_ops().erase(changed[send.peer].mutable_ops().begin() + receive);
      EXPECT_FALSE(verify(changed, contract_of(problem, ranks)).ok())
          << "rank " << rank << ", operation " << op << ": " << to_string(send);
    }
}

TEST_P(MutatedBroadcasts, NoOperationCanBeDoubled) {
  expect_all_caught("doubled", [](std::vector<Op>& ops, int op) {
    if (!is_message(ops[op])) return false;
    ops.insert(ops.begin() + op, Op(ops[op]));
    return true;
  });
}

TEST_P(MutatedBroadcasts, NoPeerCanBeAnother) {
  for (int distance = 1; distance < ranks; ++distance)
    expect_all_caught("other peer", [&](std::vector<Op>& ops, int op) {
      if (!is_message(ops[op])) return false;
      ops[op].peer = (ops[op].peer + distance) % ranks;
      return true;
    });
}

TEST_P(MutatedBroadcasts, NoMessageCanBeShorter) {
  expect_all_caught("shorter", [](std::vector<Op>& ops, int op) {
    if (!is_message(ops[op])) return false;
    --slice_of(ops[op]).count;
    return true;
  });
}

TEST_P(MutatedBroadcasts, NoMessageCanBeMisplaced) {
  for (const int distance : {-1, 1})
    expect_all_caught("misplaced", [&](std::vector<Op>& ops, int op) {
      if (!is_message(ops[op])) return false;
      slice_of(ops[op]).offset += distance;
      return true;
    });
}

TEST_P(MutatedBroadcasts, NoMessageCanChangeItsLane) {
  expect_all_caught("other lane", [](std::vector<Op>& ops, int op) {
    if (!is_message(ops[op])) return false;
    ++ops[op].lane;
    return true;
  });
}

TEST_P(MutatedBroadcasts, NoSendCanBecomeAReceive) {
  expect_all_caught("turned around", [](std::vector<Op>& ops, int op) {
    if (ops[op].kind != OpKind::send) return false;
    ops[op].kind = OpKind::receive;
    std::swap(ops[op].from, ops[op].to);
    return true;
  });
}

std::vector<std::string> all_plans() {
  std::vector<std::string> plans;
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) plans.emplace_back(algorithm->id);
  return plans;
}

INSTANTIATE_TEST_SUITE_P(Of, MutatedBroadcasts, ::testing::ValuesIn(all_plans()), [](const auto& plan) {
  std::string id = plan.param;
  for (char& letter : id)
    if (letter == '-') letter = '_';
  return id;
});

}  // namespace
}  // namespace isthmus
