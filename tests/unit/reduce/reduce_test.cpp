// The programs of some reductions, operation by operation.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/collective/algorithm.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/schedule/text.hpp"
#include "tests/support/groupings.hpp"

namespace isthmus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::grouped;
using tests::Path;

std::vector<std::string> text(std::string_view plan_text, const Topology& topology, const Problem& problem, int rank) {
  const Plan plan = parse_plan(problem.collective, plan_text);
  check(plan, topology, problem);
  Program program;
  source(plan, topology, problem)(rank, program);
  std::vector<std::string> lines;
  for (const Op& op : program.ops()) lines.push_back(to_string(op));
  return lines;
}

TEST(Reduce, AlongAChainPostsItsReceivesAheadAndPassesSegmentsOn) {
  EXPECT_THAT(text("chain:segment=2", Topology::flat(3), {.collective = Collective::reduce, .count = 3}, 1),
              ElementsAre("receive scratch[0..2) from rank 2", "receive scratch[2..3) from rank 2",
                          "reduce scratch[0..2) = input[0..2) + scratch[0..2)", "send scratch[0..2) to rank 0",
                          "reduce scratch[2..3) = input[2..3) + scratch[2..3)", "send scratch[2..3) to rank 0"));
}

TEST(Reduce, AlongABinomialTreeTakesTheNearestChildFirst) {
  EXPECT_THAT(text("binomial", Topology::flat(4), {.collective = Collective::reduce, .count = 1}, 0),
              ElementsAre("receive scratch[0..1) from rank 1", "receive scratch[1..2) from rank 2",
                          "reduce scratch[0..1) = input[0..1) + scratch[0..1)",
                          "reduce output[0..1) = scratch[0..1) + scratch[1..2)"));
}

TEST(Reduce, ThatKeepsTheOrderComesTogetherAtRank0AndGoesOnToTheRoot) {
  const Problem problem{.collective = Collective::reduce, .count = 1, .root = 1, .commutative = false};
  EXPECT_THAT(text("chain", Topology::flat(3), problem, 0),
              ElementsAre("receive scratch[0..1) from rank 1", "reduce scratch[0..1) = input[0..1) + scratch[0..1)",
                          "send scratch[0..1) to rank 1"));
  EXPECT_THAT(text("chain", Topology::flat(3), problem, 1),
              ElementsAre("receive output[0..1) from rank 0", "receive scratch[0..1) from rank 2",
                          "reduce scratch[0..1) = input[0..1) + scratch[0..1)", "send scratch[0..1) to rank 0"));
}

TEST(Reduce, OnManyLevelsThatKeepsTheOrderPutsTheRootInTheMiddle) {
  const Topology sites = grouped(9, [](int rank) { return Path{std::to_string(rank / 3)}; });
  const Problem problem{.collective = Collective::reduce, .count = 1, .root = 4, .commutative = false};
  // Site 0, rank 3, own, rank 5, site 2.
  EXPECT_THAT(text("multilevel", sites, problem, 4),
              ElementsAre("receive scratch[0..1) from rank 0", "receive scratch[1..2) from rank 3",
                          "receive scratch[2..3) from rank 5", "receive scratch[3..4) from rank 6",
                          "reduce scratch[0..1) = scratch[0..1) + scratch[1..2)",
                          "reduce scratch[0..1) = scratch[0..1) + input[0..1)",
                          "reduce scratch[0..1) = scratch[0..1) + scratch[2..3)",
                          "reduce output[0..1) = scratch[0..1) + scratch[3..4)"));
}

TEST(Reduce, RefusesWhatWouldLoseTheOrder) {
  const Problem problem{.collective = Collective::reduce, .count = 1, .commutative = false};
  for (const char* plan : {"binary", "multilevel:levels=linear"}) {
    try {
      text(plan, Topology::flat(4), problem, 0);
      FAIL() << plan;
    } catch (const BadInput& error) {
      EXPECT_THAT(error.what(), HasSubstr("commute"));
    }
  }
}

TEST(Allreduce, ByAnExchangePostsItsReceivesBeforeItSends) {
  const Topology sites = grouped(4, [](int rank) { return Path{std::to_string(rank / 2)}; });
  EXPECT_THAT(text("multilevel-exchange", sites, {.collective = Collective::allreduce, .count = 1}, 2),
              ElementsAre("receive scratch[1..2) from rank 3", "reduce scratch[0..1) = input[0..1) + scratch[1..2)",
                          "receive scratch[2..3) from rank 0", "send scratch[0..1) to rank 0",
                          "reduce output[0..1) = scratch[2..3) + scratch[0..1)", "send output[0..1) to rank 3"));
}

TEST(Scan, OnManyLevelsHearsFromEarlierSitesOnly) {
  const Topology sites = grouped(4, [](int rank) { return Path{std::to_string(rank / 2)}; });
  const Problem problem{.collective = Collective::scan, .count = 1};
  EXPECT_THAT(text("multilevel", sites, problem, 1),
              ElementsAre("receive output[0..1) from rank 0", "reduce scratch[0..1) = output[0..1) + input[0..1)",
                          "send scratch[0..1) to rank 3", "reduce output[0..1) = output[0..1) + input[0..1)"));
  EXPECT_THAT(text("multilevel", sites, problem, 2),
              ElementsAre("send input[0..1) to rank 3", "receive output[0..1) from rank 3",
                          "reduce output[0..1) = output[0..1) + input[0..1)"));
}

}  // namespace
}  // namespace isthmus
