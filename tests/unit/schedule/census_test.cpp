#include "algorithms/schedule/census.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/errors.hpp"
#include "tests/property/schedules.hpp"

namespace isthmus {
namespace {

using namespace testing_schedules;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Census, NothingIsCountedInAnEmptySchedule) {
  const Census counted = census(binomial_broadcast(5, 2, 0), 8);
  EXPECT_EQ(counted.total, (Traffic{0, 0}));
  EXPECT_EQ(counted.ranks.size(), 5u);
  EXPECT_THAT(counted.pairs, IsEmpty());
  EXPECT_EQ(longest_chain(binomial_broadcast(5, 2, 0)), 0);
}

TEST(Census, ABinomialBroadcastSendsTheMessageToEverybodyElseOnce) {
  for (int size = 1; size <= 20; ++size) {
    const Census counted = census(binomial_broadcast(size, size / 2, 7), 8);
    EXPECT_EQ(counted.total, (Traffic{size - 1, (size - 1) * 56}));
    EXPECT_EQ(static_cast<int>(counted.pairs.size()), size - 1);
    for (int rank = 0; rank < size; ++rank)
      EXPECT_EQ(counted.ranks[rank].received.messages, rank == size / 2 ? 0 : 1) << rank;
  }
}

TEST(Census, SegmentsOfAPairAreCountedTogether) {
  const Census counted = census(chain_broadcast(3, 1, 10, 4), 2);
  EXPECT_THAT(counted.pairs, ElementsAre(PairCensus{1, 2, {3, 20}}, PairCensus{2, 0, {3, 20}}));
  EXPECT_EQ(counted.ranks[2], (RankCensus{{3, 20}, {3, 20}, 0, 0}));
}

TEST(Census, ReductionsAndCopiesAreCounted) {
  const Census counted = census(ring_allreduce(4, 8), 4);
  for (const RankCensus& rank : counted.ranks) EXPECT_EQ(rank, (RankCensus{{6, 48}, {6, 48}, 24, 32}));
  EXPECT_EQ(counted.total, (Traffic{24, 192}));
}

TEST(Census, ProgramsNeedNotBeKept) {
  const Schedule schedule = ring_allreduce(5, 13);
  const Census kept = census(schedule, 8);
  const Census passed = census(
      5, [&](int rank, Program& program) { program = schedule[rank]; }, 8);
  EXPECT_EQ(passed.total, kept.total);
  EXPECT_EQ(passed.ranks, kept.ranks);
  EXPECT_EQ(passed.pairs, kept.pairs);
}

TEST(Census, BoundariesAreWhereTheCallerSaysTheyAre) {
  // Eight ranks, two sites of four: a binomial tree from rank 0 crosses once.
  const Census counted = census(binomial_broadcast(8, 0, 5), 1);
  const auto site = [](int rank) { return rank / 4; };
  EXPECT_EQ(crossing(counted, [&](int a, int b) { return site(a) != site(b); }), (Traffic{1, 5}));
  EXPECT_EQ(crossing(counted, [&](int a, int b) { return site(a) == site(b); }), (Traffic{6, 30}));
  EXPECT_EQ(crossing(counted, [&](int a, int) { return a == 0; }), (Traffic{3, 15}));
}

TEST(LongestChain, IsTheDepthOfABroadcastTree) {
  for (int exponent = 0; exponent <= 7; ++exponent)
    EXPECT_EQ(longest_chain(binomial_broadcast(1 << exponent, 1 % (1 << exponent), 3)), exponent);
  EXPECT_EQ(longest_chain(binomial_broadcast(5, 0, 3)), 2);
  EXPECT_EQ(longest_chain(chain_broadcast(9, 4, 10, 0)), 8);
  EXPECT_EQ(longest_chain(chain_broadcast(9, 4, 10, 1)), 8);
  EXPECT_EQ(longest_chain(blocking_linear_broadcast(9, 4, 10)), 1);
  EXPECT_EQ(longest_chain(two_lane_broadcast(9, 4, 10)), 8);
}

TEST(LongestChain, CountsOnlyTheMessagesThatItIsAskedFor) {
  const Schedule schedule = chain_broadcast(9, 0, 10, 0);
  EXPECT_EQ(longest_chain(schedule, [](int, int) { return false; }), 0);
  EXPECT_EQ(longest_chain(schedule, [](int source, int) { return source % 3 == 2; }), 2);
  // From one half into the other, and never back.
  EXPECT_EQ(longest_chain(binomial_broadcast(16, 0, 10), [](int a, int b) { return a < 8 && b >= 8; }), 1);
}

TEST(LongestChain, OfARingAllreduceGoesAroundTwice) {
  for (int size = 2; size <= 9; ++size) EXPECT_EQ(longest_chain(ring_allreduce(size, 50)), 2 * (size - 1));
  EXPECT_EQ(longest_chain(pairwise_alltoall(9, 5)), 1);
  EXPECT_EQ(longest_chain(chain_reduce(6, 12, 3)), 5);
}

TEST(LongestChain, SeesThatALaneIssuesInOrder) {
  // The second send reads nothing that was received, but is issued behind one that waits.
  Schedule schedule(3);
  schedule[0].send(output(0, 1), 1);
  schedule[1].receive(output(0, 1), 0);
  schedule[1].send(output(0, 1), 2);
  schedule[1].send(input(0, 1), 2);
  schedule[2].receive(output(0, 1), 1);
  schedule[2].receive(output(1, 1), 1);
  schedule[2].send(output(1, 1), 0);
  schedule[0].receive(output(1, 1), 2);
  EXPECT_EQ(longest_chain(schedule), 3);
}

TEST(LongestChain, RefusesWhatCannotComplete) {
  Schedule schedule = binomial_broadcast(4, 0, 1);
  schedule[3].clear();
  try {
    longest_chain(schedule);
    FAIL();
  } catch (const Refused& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 2, operation 1 (send output[0..1) to rank 3)"));
  }
  Schedule stuck(2);
  for (int rank = 0; rank < 2; ++rank) {
    stuck[rank].receive(output(0, 1), 1 - rank);
    stuck[rank].send(output(0, 1), 1 - rank);
  }
  try {
    longest_chain(stuck);
    FAIL();
  } catch (const Refused& error) {
    EXPECT_THAT(error.what(), HasSubstr("deadlock: rank 0, operation 1"));
  }
}

}  // namespace
}  // namespace isthmus
