// Jobs of many ranks or long messages on the emulated network, which take minutes on a machine of two processors.
#include <gtest/gtest.h>

#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

TEST(EmulateVirtual, RunsSixtyFourRanks) {
  NEEDS_SUBSTRATE(virtual_substrate());
  const Job job = test::broadcasts({.clusters = 4, .hosts = 16}, {"kielmann:segment=16Ki"}, {65536});
  const Emulated result = emulate(job, test::on("virtual", 500));
  EXPECT_EQ(result.points.front().repetitions.front().rank_end_s.size(), 64U);
  EXPECT_NEAR(result.points.front().repetitions.front().seconds, test::replayed_s(job, job.points.front()), 0.003);
}

TEST(EmulateUml, StaysWithinTenPercentForAMebibyte) {
  NEEDS_SUBSTRATE(uml_substrate());
  Job job = test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "magpie", "binomial"}, {1048576});
  job.repetitions = 5;
  test::expect_near_the_replay(job, emulate(job, test::on("uml")), 0.1);
}

}  // namespace
}  // namespace isthmus
