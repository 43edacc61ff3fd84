// Whole jobs in real time, which need the machine to themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

TEST(EmulateDelayLine, AgreesWithTheReplay) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  Job job = test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "binomial"}, {65536, 262144});
  job.repetitions = 5;
  EmulationOptions options = test::on("delay-line");
  options.tolerance = 0.2;  // other load must not decide this test
  const Emulated result = emulate(job, options);
  ASSERT_EQ(result.drift.size(), result.achieved.size());
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const double expected = test::replayed_s(job, job.points[i]);
    // Real time: the repetition that other load has disturbed least.
    double min_s = 1e9;
    for (const Repetition& repetition : result.points[i].repetitions) min_s = std::min(min_s, repetition.seconds);
    EXPECT_NEAR(min_s, expected, 0.05 * expected)
        << to_string(job.points[i].plan) << ", " << job.points[i].problem.bytes() << " B";
  }
}

TEST(EmulateUml, StaysWithinTenPercentOnFourRanks) {
  NEEDS_SUBSTRATE(uml_substrate());
  Job job =
      test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "magpie", "binomial"}, {65536, 1048576});
  job.repetitions = 5;
  const Emulated result = emulate(job, test::on("uml"));
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const double expected = test::replayed_s(job, job.points[i]);
    // Real time: the repetition that other load has disturbed least.
    double min_s = 1e9;
    for (const Repetition& repetition : result.points[i].repetitions) min_s = std::min(min_s, repetition.seconds);
    EXPECT_NEAR(min_s, expected, 0.1 * expected)
        << to_string(job.points[i].plan) << ", " << job.points[i].problem.bytes() << " B";
  }
}

}  // namespace
}  // namespace isthmus
