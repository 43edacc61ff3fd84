// The whole sweep over all collectives but broadcast: every plan, sizes 1 to 17, 24 and 33, every root up to 17 ranks,
// counts 0, 1, 7 and 97, blocks of one size and of several, several segments, operators that commute and that do not,
// and every grouping for the plans that use groups.
#include "tests/support/collective_cases.hpp"

namespace isthmus::tests {
namespace {

class FullSweepOf : public ::testing::TestWithParam<Collective> {};

TEST_P(FullSweepOf, ProvesEveryPlan) {
  SweepRange small = full_range(), large = full_range();
  std::erase_if(small.sizes, [](int size) { return size > 17; });
  std::erase_if(large.sizes, [](int size) { return size <= 17; });
  small.all_roots = true;
  for (const std::string& plan : plans_of(GetParam())) {
    std::int64_t proofs = 0;
    for (const SweepRange& range : {small, large}) {
      const CollectiveSweep sweep = prove_all(GetParam(), plan, range);
      EXPECT_EQ(sweep.failure, "");
      proofs += sweep.proofs;
    }
    EXPECT_GT(proofs, 0);
    RecordProperty(test_name(plan), std::to_string(proofs));
  }
}

std::vector<Collective> beside_broadcast() {
  std::vector<Collective> all(collectives().begin(), collectives().end());
  std::erase(all, Collective::broadcast);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Of, FullSweepOf, ::testing::ValuesIn(beside_broadcast()),
                         [](const auto& of) { return std::string(name(of.param)); });

}  // namespace
}  // namespace isthmus::tests
