// Whole jobs in real time, which need the machine to themselves.
#include <gtest/gtest.h>

#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

TEST(EmulateDelayLine, AgreesWithTheReplay) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  Job job = test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "binomial"}, {65536, 262144});
  job.repetitions = 3;
  EmulationOptions options = test::on("delay-line");
  options.tolerance = 0.2;  // other load must not decide this test
  const Emulated result = emulate(job, options);
  ASSERT_EQ(result.drift.size(), result.achieved.size());
  test::expect_near_the_replay(job, result, 0.05);
}

TEST(EmulateUml, StaysWithinTenPercentOnFourRanks) {
  NEEDS_SUBSTRATE(uml_substrate());
  Job job =
      test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "magpie", "binomial"}, {65536, 262144});
  job.repetitions = 3;
  const Emulated result = emulate(job, test::on("uml"));
  test::expect_near_the_replay(job, result, 0.1);
}

}  // namespace
}  // namespace isthmus
