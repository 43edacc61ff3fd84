// The times of the plans of a search, and searches side by side.
#include "algorithms/tuning/trials/plan_times.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <random>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/select.hpp"
#include "tests/support/meshes.hpp"
#include "tests/support/networks.hpp"

namespace isthmus {
namespace {

class PlanTimesTest : public testing::Test {
 protected:
  PlanTimesTest() : network(tests::das(2, 4), place_ranks(tests::das(2, 4), PlacementRule::block, 1)) {
    times.begin_algorithm(1 << 20);
  }

  static Plan plan(const std::string& text) { return parse_plan(Collective::broadcast, text); }

  const PlacedNetwork network;
  const Problem problem{.collective = Collective::broadcast, .count = 1 << 16};
  KnownReplays replays{network, problem};
  PlanTimes times{network, problem, Search::choice, replays};
};

TEST_F(PlanTimesTest, EachPlanIsReplayedOnce) {
  const double seconds = times.seconds_of(plan("chain:segment=4Ki"));
  const std::int64_t left = times.messages_left();
  EXPECT_EQ(left, (1 << 20) - 7 * 16);
  EXPECT_EQ(times.seconds_of(plan("chain:segment=4Ki")), seconds);
  EXPECT_EQ(times.messages_left(), left);
  EXPECT_EQ(times.tried().size(), 1U);
}

TEST_F(PlanTimesTest, AReplayOfTheWaysTellsWhenTheyEnd) {
  const Plan packed = plan("packed:packing=0.0:2");
  const double seconds = times.seconds_of(packed, infinite, PlanTimes::Limit::of_this_search, KnownReplays::Of::ways);
  const auto known = replays.find(replays.sketched(packed), KnownReplays::Of::ways, infinite);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->way_end_s, times.timed_ways_of(packed, infinite).end_s);
  EXPECT_EQ(known->way_end_s, std::vector<double>{seconds});
  EXPECT_EQ(replay(network, problem.element_bytes, source(packed, network.topology(), problem)).seconds, seconds);
}

TEST_F(PlanTimesTest, PreparingPlansChangesNoAnswer) {
  const std::vector<PlanTimes::Question> next = {
      {plan("chain")}, {plan("chain:segment=4Ki")}, {plan("chain:segment=8Ki")}};
  const std::int64_t left = times.messages_left();
  times.prepare(next);
  EXPECT_EQ(times.messages_left(), left);
  EXPECT_TRUE(times.tried().empty());
  for (const PlanTimes::Question& one : next)
    EXPECT_EQ(times.seconds_of(one),
              replay(network, problem.element_bytes, source(one.plan, network.topology(), problem)).seconds);
  EXPECT_EQ(times.tried().size(), next.size());
  EXPECT_EQ(times.messages_left(), left - 7 * (1 + 16 + 8));
}

TEST_F(PlanTimesTest, PlansWithTooManyMessagesAreNotTriedExceptTheFirst) {
  times.begin_algorithm(10);
  EXPECT_LT(times.seconds_of(plan("chain:segment=4Ki")), infinite);
  EXPECT_EQ(times.seconds_of(plan("chain:segment=2Ki")), infinite);
  EXPECT_EQ(times.tried().size(), 1U);
}

TEST_F(PlanTimesTest, ABranchKnowsWhatWasTriedBeforeButNotWhatOthersTry) {
  const double before_s = times.seconds_of(plan("chain"));
  const std::int64_t left = times.messages_left();
  std::vector<std::int64_t> used(2);
  times.in_branches(2, [&](std::size_t one, PlanTimes& branch) {
    EXPECT_EQ(branch.quickest().seconds, before_s);
    EXPECT_EQ(branch.seconds_of(plan("chain")), before_s);
    EXPECT_EQ(branch.messages_left(), left);  // known
    branch.seconds_of(plan(one == 0 ? "chain:segment=32Ki" : "chain:segment=8Ki"));
    branch.seconds_of(plan("chain:segment=16Ki"));  // both
    used[one] = left - branch.messages_left();
  });
  EXPECT_EQ(used, (std::vector<std::int64_t>{7 * (2 + 4), 7 * (8 + 4)}));
  EXPECT_EQ(times.messages_left(), left - used[1]) << "the branch that used most counts";
  ASSERT_EQ(times.tried().size(), 4U) << "a plan that both have tried is there once";
  EXPECT_EQ(to_string(times.tried()[1].plan), "chain:segment=32Ki") << "in the order of the branches";
  EXPECT_EQ(to_string(times.tried()[3].plan), "chain:segment=8Ki");
}

/// Where one processor is to be used, branches run one after the other.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof(all_), &all_);
    int first = 0;
    while (!CPU_ISSET(first, &all_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof(one), &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof(all_), &all_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t all_{};
};

TEST(Branches, TheChoiceIsTheSameOnAnyNumberOfProcessors) {
  std::mt19937 random(11);
  Network mesh = tests::random_mesh({3, 2, 4, 3}, random).network;
  mesh.transport = tcp_over_ethernet();
  const PlacedNetwork network(mesh, place_ranks(mesh, PlacementRule::block, 1));
  for (const Collective collective : {Collective::allreduce, Collective::allgather, Collective::reduce})
    for (const std::int64_t count : {0, 1000, 100000}) {
      const Problem problem{.collective = collective, .count = count, .element_bytes = 8};
      const Candidate side_by_side = choose(network, problem);
      const OneProcessor only;
      const Candidate alone = choose(network, problem);
      EXPECT_EQ(to_string(side_by_side.plan), to_string(alone.plan));
      EXPECT_EQ(side_by_side.seconds, alone.seconds);
    }
}

}  // namespace
}  // namespace isthmus
