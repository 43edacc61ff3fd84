// The contract of every collective: a tiny schedule that keeps it is proved, and wrong ones are not.
#include "algorithms/collective/contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "algorithms/schedule/verify.hpp"

namespace isthmus {
namespace {

using ::testing::HasSubstr;

std::string fault(const Schedule& schedule, const Problem& problem) {
  return verify(schedule, contract_of(problem, static_cast<int>(schedule.size()))).message();
}

Slice whole(const Problem& problem, const Slice& slice, int first) {
  return slice.part(first * problem.count, problem.count);
}

TEST(Contract, OfABarrierWantsEverybodysTokenHoweverOften) {
  const Problem problem{.collective = Collective::barrier};
  // Everybody to everybody, in two rounds that both count each token.
  Schedule schedule(3);
  for (int rank = 0; rank < 3; ++rank) {
    Program& program = schedule[rank];
    program.copy(output(0, 1), input(0, 1));
    for (int round = 0; round < 2; ++round) {
      const Slice tokens = program.reserve(3);
      for (int other = 0; other < 3; ++other)
        if (other != rank) program.receive(tokens.part(other, 1), other);
      for (int other = 0; other < 3; ++other)
        if (other != rank) program.send(output(0, 1), other);
      for (int other = 0; other < 3; ++other)
        if (other != rank) program.reduce(output(0, 1), tokens.part(other, 1), output(0, 1));
    }
  }
  EXPECT_EQ(fault(schedule, problem), "");
  // Rank 1 leaves without a message that depends on rank 2.
  Schedule chain(3);
  chain[0].copy(output(0, 1), input(0, 1));
  chain[2].copy(output(0, 1), input(0, 1));
  chain[0].send(input(0, 1), 1);
  chain[1].receive(output(0, 1), 0);
  chain[1].reduce(output(0, 1), output(0, 1), input(0, 1));
  EXPECT_THAT(fault(chain, problem), HasSubstr("rank 0 instead of element 0 of ranks 0 + 1 + 2"));
}

TEST(Contract, OfABarrierKnowsNoRoundThatSomebodyMissed) {
  Schedule schedule(2);
  for (int rank = 0; rank < 2; ++rank) schedule[rank].copy(output(0, 1), input(0, 1));
  schedule[0].send(input(0, 1), 1);
  const Slice token = schedule[1].reserve(1);
  schedule[1].receive(token, 0);
  schedule[1].reduce(output(0, 1), token, output(0, 1));
  EXPECT_THAT(fault(schedule, {.collective = Collective::barrier}), HasSubstr("rank 0 ends with the wrong output"));
}

/// Rank 1 hands its input to rank 0, which combines both.
Schedule reduction_at_rank_0(std::int64_t count, bool own_first) {
  Schedule schedule(2);
  schedule[1].send(input(0, count), 0);
  const Slice other = schedule[0].reserve(count);
  schedule[0].receive(other, 1);
  if (own_first)
    schedule[0].reduce(output(0, count), input(0, count), other);
  else
    schedule[0].reduce(output(0, count), other, input(0, count));
  return schedule;
}

TEST(Contract, OfAReductionWantsTheOrderOfRanksOnlyWhereItCounts) {
  Problem problem{.collective = Collective::reduce, .count = 5};
  EXPECT_EQ(fault(reduction_at_rank_0(5, true), problem), "");
  EXPECT_EQ(fault(reduction_at_rank_0(5, false), problem), "");
  problem.commutative = false;
  EXPECT_EQ(fault(reduction_at_rank_0(5, true), problem), "");
  EXPECT_THAT(fault(reduction_at_rank_0(5, false), problem), HasSubstr("element 0 of ranks 1 + 0 instead of"));
}

TEST(Contract, OfAReductionGivesNobodyElseAnOutput) {
  Schedule schedule = reduction_at_rank_0(5, true);
  schedule[1].copy(output(0, 5), input(0, 5));
  EXPECT_THAT(fault(schedule, {.collective = Collective::reduce, .count = 5}), HasSubstr("output has 0 elements"));
}

TEST(Contract, OfAnAllreduceWantsTheSumEverywhere) {
  const Problem problem{.collective = Collective::allreduce, .count = 5, .commutative = false};
  Schedule schedule = reduction_at_rank_0(5, true);
  EXPECT_THAT(fault(schedule, problem), HasSubstr("rank 1 ends with the wrong output[0..5)"));
  schedule[0].send(output(0, 5), 1);
  schedule[1].receive(output(0, 5), 0);
  EXPECT_EQ(fault(schedule, problem), "");
}

TEST(Contract, OfAReduceScatterWantsTheOwnBlockOfTheSum) {
  for (const Problem& problem : {Problem{.collective = Collective::reduce_scatter_block, .count = 3},
                                 Problem{.collective = Collective::reduce_scatter, .count = 3},
                                 Problem{.collective = Collective::reduce_scatter, .counts = {3, 3}}}) {
    for (const bool swapped : {false, true}) {
      Schedule schedule(2);
      for (int rank = 0; rank < 2; ++rank) {
        Program& program = schedule[rank];
        program.send(input(3 * (swapped ? rank : 1 - rank), 3), 1 - rank);
        const Slice other = program.reserve(3);
        program.receive(other, 1 - rank);
        program.reduce(output(0, 3), other, input(3 * rank, 3));
      }
      EXPECT_EQ(fault(schedule, problem) == "", !swapped);
    }
  }
}

TEST(Contract, OfAScanWantsTheRanksUpToTheOwn) {
  Problem problem{.collective = Collective::scan, .count = 4, .commutative = false};
  Schedule schedule(3);
  for (int rank = 0; rank < 3; ++rank) {
    Program& program = schedule[rank];
    if (rank == 0) program.copy(output(0, 4), input(0, 4));
    if (rank > 0) {
      program.receive(output(0, 4), rank - 1);
      program.reduce(output(0, 4), output(0, 4), input(0, 4));
    }
    if (rank < 2) program.send(output(0, 4), rank + 1);
  }
  EXPECT_EQ(fault(schedule, problem), "");
  problem.collective = Collective::exscan;
  EXPECT_THAT(fault(schedule, problem), HasSubstr("rank 1 ends with the wrong output"));
}

TEST(Contract, OfAnExscanWantsTheRanksBelowTheOwnAndNothingOfRank0) {
  const Problem problem{.collective = Collective::exscan, .count = 4, .commutative = false};
  Schedule schedule(3);
  schedule[0].send(input(0, 4), 1);
  schedule[1].receive(output(0, 4), 0);
  const Slice sum = schedule[1].reserve(4);
  schedule[1].reduce(sum, output(0, 4), input(0, 4));
  schedule[1].send(sum, 2);
  schedule[2].receive(output(0, 4), 1);
  EXPECT_EQ(fault(schedule, problem), "");
}

/// Gathers the blocks of two ranks at rank 1, in the order of ranks or not.
Schedule gather_at_rank_1(std::int64_t first, std::int64_t second, bool in_order) {
  Schedule schedule(2);
  schedule[0].send(input(0, first), 1);
  schedule[1].receive(output(in_order ? 0 : second, first), 0);
  schedule[1].copy(output(in_order ? first : 0, second), input(0, second));
  return schedule;
}

TEST(Contract, OfAGatherWantsTheBlocksInTheOrderOfRanks) {
  const Problem even{.collective = Collective::gather, .count = 3, .root = 1};
  EXPECT_EQ(fault(gather_at_rank_1(3, 3, true), even), "");
  EXPECT_THAT(fault(gather_at_rank_1(3, 3, false), even),
              HasSubstr("element 0 of rank 1 instead of element 0 of rank 0"));
  const Problem uneven{.collective = Collective::gatherv, .root = 1, .counts = {1, 4}};
  EXPECT_EQ(fault(gather_at_rank_1(1, 4, true), uneven), "");
  EXPECT_THAT(fault(gather_at_rank_1(4, 1, true), uneven), HasSubstr("out of bounds"));
}

Schedule scatter_from_rank_0(std::int64_t first, std::int64_t second, std::int64_t at) {
  Schedule schedule(2);
  schedule[0].copy(output(0, first), input(0, first));
  schedule[0].send(input(at, second), 1);
  schedule[1].receive(output(0, second), 0);
  return schedule;
}

TEST(Contract, OfAScatterWantsTheOwnBlock) {
  const Problem even{.collective = Collective::scatter, .count = 3};
  EXPECT_EQ(fault(scatter_from_rank_0(3, 3, 3), even), "");
  EXPECT_THAT(fault(scatter_from_rank_0(3, 3, 2), even),
              HasSubstr("element 2 of rank 0 instead of element 3 of rank 0"));
  EXPECT_EQ(fault(scatter_from_rank_0(1, 4, 1), {.collective = Collective::scatterv, .counts = {1, 4}}), "");
}

/// Everybody sends its block to everybody.
Schedule allgather(std::int64_t first, std::int64_t second) {
  Schedule schedule(2);
  schedule[0].copy(output(0, first), input(0, first));
  schedule[1].copy(output(first, second), input(0, second));
  schedule[0].send(input(0, first), 1);
  schedule[1].send(input(0, second), 0);
  schedule[0].receive(output(first, second), 1);
  schedule[1].receive(output(0, first), 0);
  return schedule;
}

TEST(Contract, OfAnAllgatherWantsAllBlocksEverywhere) {
  EXPECT_EQ(fault(allgather(2, 2), {.collective = Collective::allgather, .count = 2}), "");
  EXPECT_EQ(fault(allgather(2, 5), {.collective = Collective::allgatherv, .counts = {2, 5}}), "");
  Schedule schedule = allgather(2, 2);
  schedule[0].mutable_ops().erase(schedule[0].mutable_ops().begin());
  EXPECT_THAT(fault(schedule, {.collective = Collective::allgather, .count = 2}),
              HasSubstr("rank 0 ends with the wrong output[0..2)"));
}

TEST(Contract, OfAnAlltoallTransposesBlocks) {
  // Rank 0 has blocks of 1 and 2 elements, rank 1 of 3 and 4.
  Schedule schedule(2);
  schedule[0].copy(output(0, 1), input(0, 1));
  schedule[0].send(input(1, 2), 1);
  schedule[0].receive(output(1, 3), 1);
  schedule[1].copy(output(2, 4), input(3, 4));
  schedule[1].send(input(0, 3), 0);
  schedule[1].receive(output(0, 2), 0);
  for (const Collective collective : {Collective::alltoallv, Collective::alltoallw}) {
    EXPECT_EQ(fault(schedule, {.collective = collective, .counts = {1, 2, 3, 4}}), "");
    EXPECT_NE(fault(schedule, {.collective = collective, .counts = {1, 3, 2, 4}}), "");
  }
  const Problem even{.collective = Collective::alltoall, .count = 2};
  Schedule blocks(2);
  for (int rank = 0; rank < 2; ++rank) {
    blocks[rank].copy(whole(even, output(0, 4), rank), whole(even, input(0, 4), rank));
    blocks[rank].send(whole(even, input(0, 4), 1 - rank), 1 - rank);
    blocks[rank].receive(whole(even, output(0, 4), 1 - rank), 1 - rank);
  }
  EXPECT_EQ(fault(blocks, even), "");
  std::swap(blocks[0].mutable_ops()[0].from, blocks[0].mutable_ops()[1].from);
  EXPECT_NE(fault(blocks, even), "");
}

}  // namespace
}  // namespace isthmus
