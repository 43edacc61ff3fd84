#include "algorithms/tuning/trials/known_replays.hpp"

#include <gtest/gtest.h>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "algorithms/tuning/search.hpp"
#include "algorithms/tuning/select.hpp"

namespace isthmus {
namespace {

using Of = KnownReplays::Of;

class KnownReplaysOfEight : public testing::Test {
 protected:
  static Plan plan_of(const char* text) { return parse_plan(Collective::broadcast, text); }
  auto find(const char* plan, Of what, double limit_s) const {
    return replays_.find(replays_.sketched(plan_of(plan)), what, limit_s);
  }
  void note(const char* plan, Of what, double limit_s, const LimitedReplay& replay) {
    replays_.note(replays_.sketched(plan_of(plan)), what, limit_s, replay);
  }

  const PlacedNetwork placed_{default_network(Topology::flat(8)), one_rank_a_host(8)};
  const Problem problem_{.collective = Collective::broadcast, .count = 100};
  KnownReplays replays_{placed_, problem_};
};

TEST_F(KnownReplaysOfEight, TellWhatAReplayWithAnotherLimitWould) {
  EXPECT_FALSE(find("binomial", Of::plan, infinite));
  note("binomial", Of::plan, 5, {2, 10, {}});
  EXPECT_EQ(find("binomial", Of::plan, infinite)->seconds, 2);
  EXPECT_EQ(find("binomial", Of::plan, 3)->messages, 10);
  EXPECT_FALSE(find("binomial", Of::plan, 1));
  EXPECT_FALSE(find("binomial", Of::ways, 1));
  note("linear", Of::plan, 5, {infinite, 20, {}});
  EXPECT_EQ(find("linear", Of::plan, 4)->seconds, infinite);
  EXPECT_FALSE(find("linear", Of::plan, 6));
  note("linear", Of::plan, 3, {infinite, 20, {}});  // tells less
  EXPECT_TRUE(find("linear", Of::plan, 4));
  note("linear", Of::plan, 9, {8, 20, {}});
  EXPECT_EQ(find("linear", Of::plan, infinite)->seconds, 8);
}

TEST_F(KnownReplaysOfEight, TellOfPlansWithTheSameSchedule) {
  note("chain:segment=50", Of::plan, infinite, {3, 14, {}});
  EXPECT_EQ(find("k-ary:degree=1,segment=50", Of::plan, infinite)->seconds, 3);
  EXPECT_EQ(find("k-chain:degree=1,segment=50", Of::plan, infinite)->messages, 14);
  EXPECT_FALSE(find("k-ary:degree=1,segment=25", Of::plan, infinite));
  EXPECT_FALSE(find("k-ary:degree=2,segment=50", Of::plan, infinite));
  note("chain:segment=50", Of::ways, infinite, {3, 14, 0, {1}});
  EXPECT_TRUE(find("chain:segment=50", Of::ways, infinite));
  EXPECT_FALSE(find("k-ary:degree=1,segment=50", Of::ways, infinite));
}

TEST_F(KnownReplaysOfEight, OfWaysTellOfThePlanToo) {
  note("binary", Of::ways, infinite, {4, 7, 0, {1}});
  EXPECT_EQ(find("binary", Of::plan, infinite)->seconds, 4);
  note("binary", Of::plan, infinite, {4, 7, 0, {}});
  EXPECT_EQ(find("binary", Of::ways, infinite)->way_end_s, std::vector<double>{1});
}

TEST_F(KnownReplaysOfEight, AreMadeOnce) {
  const Plan chain = plan_of("chain"), tree = plan_of("k-ary:degree=1");
  const LimitedReplay made = replays_.replayed(replays_.sketched(chain), Of::plan, infinite);
  EXPECT_EQ(made.seconds, replay(placed_, problem_.element_bytes, source(chain, placed_.topology(), problem_)).seconds);
  note("chain", Of::plan, infinite, {123, 7, {}});
  EXPECT_EQ(replays_.replayed(replays_.sketched(tree), Of::plan, infinite).seconds, 123);
}

}  // namespace
}  // namespace isthmus
