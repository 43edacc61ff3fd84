// The whole sweep: every broadcast plan, sizes 1 to 33 and 64, every root, counts 0, 1, 7 and 1000, several segments,
// and every grouping for the plans that use groups.
#include <gtest/gtest.h>

#include "tests/support/broadcast_sweep.hpp"

namespace isthmus {
namespace {

TEST(FullSweep, ProvesEveryBroadcastPlan) {
  for (const std::string& plan : tests::plans_of(Collective::broadcast)) {
    const tests::Sweep sweep = tests::prove_all(plan, tests::full_sweep_sizes());
    EXPECT_EQ(sweep.failure, "");
    RecordProperty(plan, std::to_string(sweep.proofs));
  }
}

}  // namespace
}  // namespace isthmus
