// The whole sweep over the collectives that move blocks: every plan, sizes 1 to 17, 24 and 33, every root up to 17
// ranks, counts 0, 1, 7 and 97, blocks of one size and of several, several segments, and every grouping for the plans
// that know of groups.
#include <gtest/gtest.h>

#include "tests/support/moving_plans.hpp"

namespace isthmus::tests {
namespace {

TEST(FullSweep, ProvesEveryPlanThatMovesBlocks) {
  SweepRange small = full_range(), large = full_range();
  std::erase_if(small.sizes, [](int size) { return size > 17; });
  std::erase_if(large.sizes, [](int size) { return size <= 17; });
  small.all_roots = true;
  for (const std::vector<PlanCase>& plans : {gather_plans(), scatter_plans(), allgather_plans(), alltoall_plans()}) {
    for (const PlanCase& which : plans) {
      std::int64_t proofs = 0;
      for (const SweepRange& range : {small, large}) {
        const CollectiveSweep sweep = prove_all(which.collective, which.plan, range, which.knows_groups);
        EXPECT_EQ(sweep.failure, "");
        proofs += sweep.proofs;
      }
      EXPECT_GT(proofs, 0);
      RecordProperty(test_name(fmt::format("{}_{}", name(which.collective), which.plan)), std::to_string(proofs));
    }
  }
}

}  // namespace
}  // namespace isthmus::tests
