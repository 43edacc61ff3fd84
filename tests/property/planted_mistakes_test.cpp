// Correct schedules with one injected mistake each: the verifier must catch every one, and name it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "algorithms/schedule/verify.hpp"
#include "tests/property/schedules.hpp"

namespace isthmus {
namespace {

using namespace testing_schedules;  // the right schedules
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string fault(const Schedule& schedule, const Contract& contract) { return verify(schedule, contract).message(); }

std::vector<Op>& ops(Schedule& schedule, int rank) { return schedule[rank].mutable_ops(); }

void erase(Schedule& schedule, int rank, int op) { ops(schedule, rank).erase(ops(schedule, rank).begin() + op); }

std::vector<Dependencies> dependencies_of(const Schedule& schedule) {
  std::vector<Dependencies> all(schedule.size());
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) derive(schedule[rank], all[rank]);
  return all;
}

constexpr std::int64_t count = 7;

// ---- the schedules without a mistake are proved

TEST(PlantedMistakes, AreTheOnlyOnes) {
  Verifier verifier;
  for (int size = 1; size <= 17; ++size)
    for (const std::int64_t elements : {0, 1, 7, 40}) {
      for (int root = 0; root < size; ++root) {
        const Contract contract = broadcast_contract(size, root, elements);
        EXPECT_EQ(verifier.verify(binomial_broadcast(size, root, elements), contract).message(), "");
        EXPECT_EQ(verifier.verify(blocking_linear_broadcast(size, root, elements), contract).message(), "");
        EXPECT_EQ(verifier.verify(chain_broadcast(size, root, elements, 3), contract).message(), "");
        EXPECT_EQ(verifier.verify(two_lane_broadcast(size, root, elements), contract).message(), "");
      }
      EXPECT_EQ(verifier.verify(ring_allreduce(size, elements), allreduce_contract(size, elements)).message(), "");
      EXPECT_EQ(
          verifier.verify(chain_reduce(size, elements, 3), reduction_contract(size, elements, false, {0})).message(),
          "");
      EXPECT_EQ(verifier.verify(pairwise_alltoall(size, elements), alltoall_contract(size, elements)).message(), "");
    }
}

// ---- messages

TEST(PlantedMistakes, DroppedReceive) {
  Schedule schedule = binomial_broadcast(8, 0, count);
  erase(schedule, 7, 0);
  EXPECT_EQ(fault(schedule, broadcast_contract(8, 0, count)),
            "rank 6, operation 1 (send output[0..7) to rank 7): this message is never received, rank 7 has too few "
            "receives from rank 6 in lane 0");
}

TEST(PlantedMistakes, DroppedSend) {
  Schedule schedule = binomial_broadcast(8, 0, count);
  erase(schedule, 6, 1);
  EXPECT_EQ(fault(schedule, broadcast_contract(8, 0, count)),
            "rank 7, operation 0 (receive output[0..7) from rank 6): no message for this receive, rank 6 sends too few "
            "to rank 7 in lane 0");
}

TEST(PlantedMistakes, SwappedPeer) {
  Schedule schedule = binomial_broadcast(8, 0, count);
  ops(schedule, 0)[0].peer = 3;
  EXPECT_THAT(fault(schedule, broadcast_contract(8, 0, count)),
              AllOf(StartsWith("rank 4, operation 0 (receive output[0..7) from rank 0): no message"),
                    HasSubstr("rank 0 sends too few to rank 4")));
}

TEST(PlantedMistakes, SendsInSwappedOrderToTheSamePeer) {
  // Segments of 3, 3 and 1 elements: the last one overtakes.
  Schedule schedule = chain_broadcast(3, 0, count, 3);
  std::swap(ops(schedule, 0)[1], ops(schedule, 0)[2]);
  EXPECT_THAT(fault(schedule, broadcast_contract(3, 0, count)),
              AllOf(StartsWith("rank 1, operation 1 (receive output[3..6) from rank 0): receives 3 elements"),
                    HasSubstr("rank 0, operation 1 (send output[6..7) to rank 1), has 1")));
}

TEST(PlantedMistakes, SegmentsOfOneSizeInSwappedOrder) {
  Schedule schedule = chain_broadcast(3, 0, 9, 3);
  std::swap(ops(schedule, 0)[0], ops(schedule, 0)[1]);
  EXPECT_EQ(fault(schedule, broadcast_contract(3, 0, 9)),
            "rank 1 ends with the wrong output[0..3): its first element holds element 3 of rank 0 instead of element 0 "
            "of rank 0");
}

TEST(PlantedMistakes, MissingSegment) {
  Schedule schedule = chain_broadcast(3, 0, count, 3);
  erase(schedule, 1, 4);  // its send of the second segment
  erase(schedule, 2, 1);  // and the receive of it
  EXPECT_EQ(fault(schedule, broadcast_contract(3, 0, count)),
            "rank 2 ends with the wrong output[3..6): its first element holds nothing defined instead of element 3 of "
            "rank 0");
}

TEST(PlantedMistakes, DuplicatedSegment) {
  // The second segment is sent twice in place of the first.
  Schedule schedule = chain_broadcast(2, 0, 6, 3);
  ops(schedule, 0)[0].from = output(3, 3);
  EXPECT_EQ(fault(schedule, broadcast_contract(2, 0, 6)),
            "rank 1 ends with the wrong output[0..3): its first element holds element 3 of rank 0 instead of element 0 "
            "of rank 0");
}

TEST(PlantedMistakes, ExtraSend) {
  Schedule schedule = binomial_broadcast(5, 2, count);
  schedule[0].send(output(0, count), 1);
  EXPECT_THAT(
      fault(schedule, broadcast_contract(5, 2, count)),
      AllOf(StartsWith("rank 0, operation "), HasSubstr("(send output[0..7) to rank 1)"), HasSubstr("never received")));
}

TEST(PlantedMistakes, ReceiveOfTheWrongCount) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 3)[0].to.count = 6;
  EXPECT_EQ(fault(schedule, broadcast_contract(4, 0, count)),
            "rank 3, operation 0 (receive output[0..6) from rank 2): receives 6 elements, but the message, rank 2, "
            "operation 1 (send output[0..7) to rank 3), has 7");
}

TEST(PlantedMistakes, WrongLane) {
  Schedule schedule = two_lane_broadcast(4, 0, count);
  for (Op& op : ops(schedule, 2))
    if (op.lane == 1 && op.kind == OpKind::receive) op.lane = 0;
  EXPECT_THAT(
      fault(schedule, broadcast_contract(4, 0, count)),
      AllOf(StartsWith("rank 2, operation 2 (receive output[4..7) from rank 3): no message"), HasSubstr("in lane 0")));
}

TEST(PlantedMistakes, LaneThatDoesNotExist) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 3)[0].lane = 2;
  EXPECT_EQ(fault(schedule, broadcast_contract(4, 0, count)),
            "rank 3, operation 0 (receive output[0..7) from rank 2 in lane 2): there is no lane 2, the program has 1");
}

TEST(PlantedMistakes, MessageToOneself) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 0)[1].peer = 0;
  EXPECT_EQ(fault(schedule, broadcast_contract(4, 0, count)),
            "rank 0, operation 1 (send output[0..7) to rank 0): a message to oneself");
}

TEST(PlantedMistakes, PeerOutOfRange) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 2)[1].peer = 4;
  EXPECT_EQ(fault(schedule, broadcast_contract(4, 0, count)),
            "rank 2, operation 1 (send output[0..7) to rank 4): peer 4 is out of range, ranks are 0..3");
}

TEST(PlantedMistakes, NegativePeer) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 1)[0].peer = -1;
  EXPECT_THAT(fault(schedule, broadcast_contract(4, 0, count)), HasSubstr("rank 1, operation 0"));
  EXPECT_THAT(fault(schedule, broadcast_contract(4, 0, count)), HasSubstr("peer -1 is out of range"));
}

// ---- trees

TEST(PlantedMistakes, TreeThatForgetsTheLastRank) {
  // Off by one: the tree over six ranks serves seven.
  Schedule schedule = binomial_broadcast(6, 0, count);
  schedule.emplace_back();
  EXPECT_EQ(fault(schedule, broadcast_contract(7, 0, count)),
            "rank 6 ends with the wrong output[0..7): its first element holds nothing defined instead of element 0 of "
            "rank 0");
}

TEST(PlantedMistakes, TreeThatReachesBeyondTheLastRank) {
  Schedule schedule = binomial_broadcast(8, 0, count);
  schedule.pop_back();
  EXPECT_EQ(fault(schedule, broadcast_contract(7, 0, count)),
            "rank 6, operation 1 (send output[0..7) to rank 7): peer 7 is out of range, ranks are 0..6");
}

TEST(PlantedMistakes, WrongRoot) {
  EXPECT_THAT(fault(binomial_broadcast(8, 3, count), broadcast_contract(8, 0, count)),
              AllOf(StartsWith("rank 3, operation "), HasSubstr("reads output[0..7), which is undefined")));
}

TEST(PlantedMistakes, TooFewPrograms) {
  EXPECT_EQ(fault(binomial_broadcast(7, 0, count), broadcast_contract(8, 0, count)),
            "the schedule has programs for 7 ranks, the contract is over 8");
}

// ---- deadlock

TEST(PlantedMistakes, ReceivesThatWaitForEachOther) {
  // Everybody forwards around the ring before anybody has something to forward.
  Schedule schedule(3);
  for (int rank = 0; rank < 3; ++rank) {
    schedule[rank].receive(output(0, count), wrap(rank - 1, 3));
    schedule[rank].send(output(0, count), wrap(rank + 1, 3));
  }
  EXPECT_THAT(fault(schedule, broadcast_contract(3, 0, count)),
              AllOf(StartsWith("deadlock: rank 0, operation 1 (send output[0..7) to rank 1) waits for its operation 0 "
                               "(receive output[0..7) from rank 2)"),
                    HasSubstr("rank 2, operation 1"), HasSubstr("rank 1, operation 1")));
}

TEST(PlantedMistakes, CycleUnderSynchronousSendsAlone) {
  // An exchange in which both receive into what they are still sending: buffered sends would let it through.
  Schedule schedule(2);
  for (int rank = 0; rank < 2; ++rank) {
    const Slice kept = schedule[rank].reserve(count);
    schedule[rank].copy(kept, input(0, count));
    schedule[rank].send(kept, 1 - rank);
    schedule[rank].receive(kept, 1 - rank);
    schedule[rank].copy(output(0, count), kept);
  }
  Contract contract = allreduce_contract(2, count);
  contract.required = {{0, output(0, count), 1, 0}, {1, output(0, count), 0, 0}};
  EXPECT_THAT(fault(schedule, contract),
              AllOf(StartsWith("deadlock when sends are synchronous: rank 0, operation 2 (receive scratch[0..7) from "
                               "rank 1) waits for its operation 1 (send scratch[0..7) to rank 1)"),
                    HasSubstr("rank 1, operation 2")));
}

TEST(PlantedMistakes, OneSendAtATimeDeadlock) {
  // A ring in which everybody sends two messages before receiving any: fine with free sends, stuck with blocking ones.
  Schedule schedule(3);
  for (int rank = 0; rank < 3; ++rank) {
    for (int step = 1; step <= 2; ++step) schedule[rank].send(input(0, count), wrap(rank + step, 3));
    for (int step = 1; step <= 2; ++step) {
      const int from = wrap(rank - step, 3);
      schedule[rank].receive(output(from * count, count), from);
    }
    schedule[rank].copy(output(rank * count, count), input(0, count));
  }
  Contract contract = allreduce_contract(3, count);
  contract.output_count.assign(3, 3 * count);
  contract.required.clear();
  for (int rank = 0; rank < 3; ++rank)
    for (int block = 0; block < 3; ++block) contract.required.push_back({rank, output(block * count, count), block, 0});
  EXPECT_EQ(fault(schedule, contract), "");
  for (Program& program : schedule) program.set_lane({.one_send_at_a_time = true});
  EXPECT_THAT(fault(schedule, contract),
              AllOf(StartsWith("deadlock when sends are synchronous: rank 0, operation 1 (send input[0..7) to rank 2) "
                               "waits for its operation 0 (send input[0..7) to rank 1)"),
                    HasSubstr("rank 1, operation 1"), HasSubstr("rank 2, operation 1")));
}

// ---- buffers

TEST(PlantedMistakes, SliceOutOfBounds) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 2)[0].to.offset = 1;
  EXPECT_EQ(fault(schedule, broadcast_contract(4, 0, count)),
            "rank 2, operation 0 (receive output[1..8) from rank 0): output[1..8) is out of bounds, output has 7 "
            "elements");
}

TEST(PlantedMistakes, MessageWithoutElements) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 0)[0].from.count = 0;
  EXPECT_EQ(fault(schedule, broadcast_contract(4, 0, count)),
            "rank 0, operation 0 (send output[0..0) to rank 2): output[0..0) has no elements");
}

TEST(PlantedMistakes, NegativeOffset) {
  Schedule schedule = binomial_broadcast(4, 0, count);
  ops(schedule, 0)[0].from.offset = -1;
  EXPECT_THAT(fault(schedule, broadcast_contract(4, 0, count)),
              AllOf(StartsWith("rank 0, operation 0"), HasSubstr("out of bounds")));
}

TEST(PlantedMistakes, ScratchThatWasNotReserved) {
  Schedule schedule = chain_reduce(3, count, 0);
  ops(schedule, 1)[0].to.offset += 2 * count;
  EXPECT_THAT(fault(schedule, reduction_contract(3, count, false, {0})),
              AllOf(StartsWith("rank 1, operation 0"), HasSubstr("out of bounds, scratch has 14 elements")));
}

TEST(PlantedMistakes, WriteToInput) {
  Schedule schedule = ring_allreduce(3, count);
  for (Op& op : ops(schedule, 1))
    if (op.kind == OpKind::reduce) op.to.buffer = Buffer::input;
  EXPECT_THAT(fault(schedule, allreduce_contract(3, count)),
              AllOf(StartsWith("rank 1, operation 3 (reduce input["), HasSubstr("writes to input")));
}

TEST(PlantedMistakes, ReadOfUndefinedScratch) {
  Schedule schedule = ring_allreduce(3, count);
  erase(schedule, 1, 0);  // no copy of the input: output is undefined
  EXPECT_THAT(fault(schedule, allreduce_contract(3, count)),
              AllOf(StartsWith("rank 1, operation "), HasSubstr("which is undefined")));

  schedule = chain_reduce(2, count, 0);
  ops(schedule, 0)[1].right = schedule[0].reserve(count);
  EXPECT_EQ(fault(schedule, reduction_contract(2, count, false, {0})),
            "rank 0, operation 1 (reduce output[0..7) = input[0..7) + scratch[7..14)): reads scratch[7..14), which is "
            "undefined");
}

TEST(PlantedMistakes, CopyThatOverlapsItself) {
  Schedule schedule = binomial_broadcast(2, 0, count);
  schedule[1].copy(output(0, 4), output(2, 4));
  EXPECT_EQ(fault(schedule, broadcast_contract(2, 0, count)),
            "rank 1, operation 1 (copy output[0..4) = output[2..6)): output[0..4) overlaps output[2..6), which it "
            "reads");
}

TEST(PlantedMistakes, CopyOfAnotherCount) {
  Schedule schedule = ring_allreduce(3, count);
  ops(schedule, 0)[0].from.count = 6;
  EXPECT_EQ(fault(schedule, allreduce_contract(3, count)),
            "rank 0, operation 0 (copy output[0..7) = input[0..6)): writes 7 elements but reads 6");
}

// ---- order: a dependency that is dropped

/// What is wrong once `op` of rank 1 no longer waits for `before`, where nothing was.
std::string fault_without(const Schedule& schedule, const Contract& contract, int op, int before) {
  auto dependencies = dependencies_of(schedule);
  Verifier verifier;
  EXPECT_TRUE(verifier.verify(schedule, contract, dependencies).ok());
  dependencies[1].remove(op, before);
  return verifier.verify(schedule, contract, dependencies).message();
}

TEST(PlantedMistakes, ForwardingBeforeTheReceive) {
  const Schedule schedule = chain_broadcast(3, 0, count, 3);
  EXPECT_EQ(fault_without(schedule, broadcast_contract(3, 0, count), 4, 1),
            "rank 1, operation 1 (receive output[3..6) from rank 0) and operation 4 (send output[3..6) to rank 2) both "
            "use output[3..6), one writes it, and nothing orders them");
}

TEST(PlantedMistakes, OverlappingWritesWithoutOrder) {
  // The whole message, and then its second half once more: the order of the two receives counts.
  Schedule schedule(2);
  schedule[0].send(output(0, count), 1);
  schedule[0].send(output(4, 3), 1);
  schedule[1].receive(output(0, count), 0);
  schedule[1].receive(output(4, 3), 0);
  EXPECT_EQ(fault_without(schedule, broadcast_contract(2, 0, count), 1, 0),
            "rank 1, operation 0 (receive output[0..7) from rank 0) and operation 1 (receive output[4..7) from rank 0) "
            "both use output[4..7), one writes it, and nothing orders them");
}

TEST(PlantedMistakes, ReceiveIntoWhatIsStillBeingSent) {
  // Rank 1 hands two halves on through one slot of scratch.
  Schedule schedule(3);
  const Slice slot = schedule[1].reserve(4);
  for (const Slice half : split(output(0, 8), 4)) {
    schedule[0].send(half, 1);
    schedule[1].receive(slot, 0);
    schedule[1].copy(half, slot);
    schedule[1].send(slot, 2);
    schedule[2].receive(half, 1);
  }
  EXPECT_EQ(
      fault_without(schedule, broadcast_contract(3, 0, 8), 3, 2),
      "rank 1, operation 2 (send scratch[0..4) to rank 2) and operation 3 (receive scratch[0..4) from rank 0) both "
      "use scratch[0..4), one writes it, and nothing orders them");
}

TEST(PlantedMistakes, DroppedDependencyInALongProgram) {
  const Schedule schedule = chain_broadcast(3, 0, 1000, 10);
  EXPECT_EQ(fault_without(schedule, broadcast_contract(3, 0, 1000), 150, 50),
            "rank 1, operation 50 (receive output[500..510) from rank 0) and operation 150 (send output[500..510) to "
            "rank 2) both use output[500..501), one writes it, and nothing orders them");
}

// ---- reductions

TEST(PlantedMistakes, ReversedOperands) {
  Schedule schedule = chain_reduce(4, count, 0);
  for (Op& op : ops(schedule, 2))
    if (op.kind == OpKind::reduce) std::swap(op.from, op.right);
  EXPECT_EQ(fault(schedule, reduction_contract(4, count, false, {0})),
            "rank 0 ends with the wrong output[0..7): its first element holds element 0 of ranks 0 + 1 + 3 + 2 instead "
            "of element 0 of ranks 0 + 1 + 2 + 3");
  EXPECT_EQ(fault(schedule, reduction_contract(4, count, true, {0})), "");
}

TEST(PlantedMistakes, RingOrderForAnOperatorThatDoesNotCommute) {
  EXPECT_THAT(fault(ring_allreduce(4, count), allreduce_contract(4, count, false)), HasSubstr("instead of"));
}

TEST(PlantedMistakes, ReductionTwice) {
  Schedule schedule = ring_allreduce(4, count);
  auto& program = ops(schedule, 1);
  program.insert(program.begin() + 3, program[3]);
  EXPECT_THAT(fault(schedule, allreduce_contract(4, count)),
              AllOf(HasSubstr("ends with the wrong output["), HasSubstr("instead of element"),
                    HasSubstr("of ranks 0 + 1 + 2 + 3")));
}

TEST(PlantedMistakes, ReductionThatMissesAContribution) {
  Schedule schedule = ring_allreduce(4, count);
  erase(schedule, 1, 3);
  EXPECT_THAT(fault(schedule, allreduce_contract(4, count)), HasSubstr("instead of element"));

  schedule = chain_reduce(3, count, 0);
  Op& reduction = ops(schedule, 1)[1];
  reduction = {OpKind::copy, 0, -1, reduction.to, reduction.right, {}};
  EXPECT_EQ(fault(schedule, reduction_contract(3, count, true, {0})),
            "rank 0 ends with the wrong output[0..7): its first element holds element 0 of ranks 0 + 2 instead of "
            "element 0 of ranks 0 + 1 + 2");
}

TEST(PlantedMistakes, ReductionOfMisplacedElements) {
  Schedule schedule = chain_reduce(2, 8, 0);
  ops(schedule, 0)[1].from = input(0, 4);
  ops(schedule, 0)[1].to.count = ops(schedule, 0)[1].right.count = 4;
  Op other = ops(schedule, 0)[1];
  other.from = input(0, 4);  // should be input(4, 4)
  other.to = output(4, 4);
  other.right = other.right.part(4, 4);
  ops(schedule, 0).push_back(other);
  EXPECT_EQ(
      fault(schedule, reduction_contract(2, 8, true, {0})),
      "rank 0 ends with the wrong output[4..8): its first element holds element 0 of rank 0 + element 4 of rank 1 "
      "instead of element 4 of ranks 0 + 1");
}

TEST(PlantedMistakes, BlocksThatGoToTheWrongPlace) {
  Schedule schedule = pairwise_alltoall(4, 3);
  std::swap(ops(schedule, 2)[1].to, ops(schedule, 2)[2].to);
  EXPECT_EQ(fault(schedule, alltoall_contract(4, 3)),
            "rank 2 ends with the wrong output[0..3): its first element holds element 6 of rank 1 instead of element 6 "
            "of rank 0");
}

}  // namespace
}  // namespace isthmus
