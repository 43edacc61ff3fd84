// Whole jobs in real time, which need the machine to themselves.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

/// In real time: of each point the repetition that other load has disturbed least.
void expect_near_the_replay(const Job& job, const Emulated& result, double relative) {
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const double expected = test::replayed_s(job, job.points[i]);
    double min_s = 1e9;
    for (const Repetition& repetition : result.points[i].repetitions) min_s = std::min(min_s, repetition.seconds);
    EXPECT_NEAR(min_s, expected, relative * expected)
        << to_string(job.points[i].plan) << ", " << job.points[i].problem.bytes() << " B";
  }
}

TEST(EmulateDelayLine, AgreesWithTheReplay) {
  NEEDS_SUBSTRATE(delay_line_substrate());
  Job job = test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "binomial"}, {65536, 262144});
  job.repetitions = 5;
  EmulationOptions options = test::on("delay-line");
  options.tolerance = 0.2;  // other load must not decide this test
  const Emulated result = emulate(job, options);
  ASSERT_EQ(result.drift.size(), result.achieved.size());
  expect_near_the_replay(job, result, 0.05);
}

TEST(EmulateUml, StaysWithinTenPercentOnFourRanks) {
  NEEDS_SUBSTRATE(uml_substrate());
  Job job =
      test::broadcasts({.clusters = 4, .hosts = 1}, {"kielmann:segment=16Ki", "magpie", "binomial"}, {65536, 1048576});
  job.repetitions = 5;
  const Emulated result = emulate(job, test::on("uml"));
  expect_near_the_replay(job, result, 0.1);
}

}  // namespace
}  // namespace isthmus
