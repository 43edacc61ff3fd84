#include "algorithms/collective/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "algorithms/errors.hpp"
#include "tests/support/refusal.hpp"

namespace isthmus {
namespace {

using ::testing::HasSubstr;

std::string refusal(const Problem& problem, int size) {
  return tests::refusal_of([&] { check_problem(problem, size); });
}

constexpr Collective all[] = {
    Collective::broadcast, Collective::barrier,    Collective::reduce,         Collective::allreduce,
    Collective::gather,    Collective::gatherv,    Collective::scatter,        Collective::scatterv,
    Collective::allgather, Collective::allgatherv, Collective::alltoall,       Collective::alltoallv,
    Collective::alltoallw, Collective::scan,       Collective::reduce_scatter, Collective::reduce_scatter_block,
    Collective::exscan,
};

TEST(CollectiveName, IsTheOneOfMpi) {
  for (const Collective collective : all) EXPECT_EQ(collective_named(name(collective)), collective);
  EXPECT_EQ(name(Collective::reduce_scatter_block), "reduce_scatter_block");
  EXPECT_EQ(name(Collective::exscan), "exscan");
  EXPECT_EQ(name(Collective::alltoallw), "alltoallw");
}

TEST(CollectiveName, MayHaveTheSpellingOfMpi) {
  for (const char* text : {"bcast", "MPI_Bcast", "mpi_bcast", "Broadcast"})
    EXPECT_EQ(collective_named(text), Collective::broadcast) << text;
  EXPECT_EQ(collective_named("MPI_Allreduce"), Collective::allreduce);
  EXPECT_EQ(collective_named("MPI_Reduce_scatter_block"), Collective::reduce_scatter_block);
}

TEST(CollectiveName, ThatIsNoneIsRefusedWithWhatWasMeant) {
  try {
    collective_named("allredcue");
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean `allreduce`?"));
  }
}

TEST(Problem, HasBuffersThatDependOnTheRoot) {
  EXPECT_EQ(buffer_counts({Collective::broadcast, 5, 1, 1}, 3, 0), (BufferCounts{0, 5}));
  EXPECT_EQ(buffer_counts({Collective::reduce, 5, 1, 1}, 3, 0), (BufferCounts{5, 0}));
  EXPECT_EQ(buffer_counts({Collective::reduce, 5, 1, 1}, 3, 1), (BufferCounts{5, 5}));
  EXPECT_EQ(buffer_counts({Collective::gather, 5, 1, 1}, 3, 1), (BufferCounts{5, 15}));
  EXPECT_EQ(buffer_counts({Collective::gather, 5, 1, 1}, 3, 2), (BufferCounts{5, 0}));
  EXPECT_EQ(buffer_counts({Collective::scatter, 5, 1, 1}, 3, 1), (BufferCounts{15, 5}));
  EXPECT_EQ(buffer_counts({Collective::scatter, 5, 1, 1}, 3, 2), (BufferCounts{0, 5}));
}

TEST(Problem, HasTheBuffersOfTheMpiCall) {
  EXPECT_EQ(buffer_counts({Collective::barrier}, 3, 2), (BufferCounts{1, 1}));
  EXPECT_EQ(buffer_counts({Collective::allgather, 5}, 3, 2), (BufferCounts{5, 15}));
  EXPECT_EQ(buffer_counts({Collective::alltoall, 5}, 3, 2), (BufferCounts{15, 15}));
  EXPECT_EQ(buffer_counts({Collective::reduce_scatter_block, 5}, 3, 2), (BufferCounts{15, 5}));
  for (const Collective collective : {Collective::allreduce, Collective::scan, Collective::exscan})
    EXPECT_EQ(buffer_counts({collective, 5}, 3, 2), (BufferCounts{5, 5}));
}

TEST(Problem, HasBlocksOfItsCounts) {
  EXPECT_EQ(buffer_counts({.collective = Collective::gatherv, .root = 1, .counts = {1, 2, 4}}, 3, 1),
            (BufferCounts{2, 7}));
  EXPECT_EQ(buffer_counts({.collective = Collective::scatterv, .root = 1, .counts = {1, 2, 4}}, 3, 1),
            (BufferCounts{7, 2}));
  EXPECT_EQ(buffer_counts({.collective = Collective::allgatherv, .counts = {1, 2, 4}}, 3, 2), (BufferCounts{4, 7}));
  EXPECT_EQ(buffer_counts({.collective = Collective::reduce_scatter, .counts = {1, 2, 4}}, 3, 2), (BufferCounts{7, 4}));
  EXPECT_EQ(buffer_counts({.collective = Collective::alltoallv, .counts = {1, 2, 3, 4}}, 2, 0), (BufferCounts{3, 4}));
  EXPECT_EQ(buffer_counts({.collective = Collective::alltoallw, .counts = {1, 2, 3, 4}}, 2, 1), (BufferCounts{7, 6}));
}

TEST(Problem, WithoutCountsHasEqualBlocks) {
  EXPECT_EQ(buffer_counts({Collective::allgatherv, 5}, 3, 1), buffer_counts({Collective::allgather, 5}, 3, 1));
  EXPECT_EQ(buffer_counts({Collective::alltoallv, 5}, 3, 1), buffer_counts({Collective::alltoall, 5}, 3, 1));
}

TEST(Problem, IsRefusedWhenARootHasNoMeaning) {
  for (const Collective collective : all) {
    EXPECT_EQ(refusal({.collective = collective}, 3), "accepted");
    EXPECT_EQ(refusal({.collective = collective, .root = 2}, 3) == "accepted", has_root(collective))
        << name(collective);
    EXPECT_NE(refusal({.collective = collective, .root = 3}, 3), "accepted");
  }
  EXPECT_THAT(refusal({.collective = Collective::allreduce, .root = 2}, 3), HasSubstr("allreduce has no root"));
}

TEST(Problem, IsRefusedWhenAnOperatorHasNoMeaning) {
  for (const Collective collective : all)
    EXPECT_EQ(refusal({.collective = collective, .commutative = false}, 3) == "accepted", has_operator(collective))
        << name(collective);
}

TEST(Problem, IsRefusedWhenItsCountsDoNotFit) {
  EXPECT_THAT(refusal({.collective = Collective::gather, .counts = {1, 2}}, 2), HasSubstr("blocks of one size"));
  EXPECT_THAT(refusal({.collective = Collective::gatherv, .counts = {1, 2}}, 3), HasSubstr("3 would be right"));
  EXPECT_THAT(refusal({.collective = Collective::alltoallv, .counts = {1, 2, 3}}, 3), HasSubstr("9 would be right"));
  EXPECT_THAT(refusal({.collective = Collective::reduce_scatter, .counts = {1, -2, 3}}, 3), HasSubstr("negative"));
  EXPECT_THAT(refusal({.collective = Collective::barrier, .count = 1}, 3), HasSubstr("carries no data"));
}

TEST(Problem, IsRefusedWhenItsBuffersAreBeyondAddressing) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(refusal({.collective = Collective::allgather, .count = most / 2}, 3), HasSubstr("3 blocks of"));
  EXPECT_THAT(refusal({.collective = Collective::gatherv, .counts = {most, 1}}, 2), HasSubstr("2^63"));
  EXPECT_THAT(refusal({.collective = Collective::gatherv, .element_bytes = 2, .counts = {most / 2, 1}}, 2),
              HasSubstr("2^63"));
  EXPECT_THAT(refusal({.collective = Collective::broadcast, .element_bytes = most}, 2), HasSubstr("2^62"));
}

TEST(Problem, IsRefusedWhenTheBuffersOfAllRanksTogetherAreMoreThanCanBeCounted) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  EXPECT_EQ(refusal({.collective = Collective::broadcast, .count = most / 4}, 4), "accepted");
  EXPECT_THAT(refusal({.collective = Collective::broadcast, .count = most / 2}, 4), HasSubstr("2^62"));
  EXPECT_EQ(refusal({.collective = Collective::allreduce, .count = most / 16}, 8), "accepted");
  EXPECT_THAT(refusal({.collective = Collective::allreduce, .count = most / 8}, 8), HasSubstr("over 8 ranks"));
  EXPECT_EQ(refusal({.collective = Collective::alltoall, .count = most / 128}, 8), "accepted");
  EXPECT_THAT(refusal({.collective = Collective::alltoall, .count = most / 64}, 8), HasSubstr("2^62"));
  EXPECT_THAT(refusal({.collective = Collective::allgatherv, .counts = {most / 4, most / 4}}, 2), HasSubstr("2^62"));
  EXPECT_THAT(refusal({.collective = Collective::alltoall, .count = 500'000'000'000'000'000}, 16), HasSubstr("2^6"));
}

}  // namespace
}  // namespace isthmus
