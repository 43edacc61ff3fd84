// Broadcasts of the catalogue in simulation: the figures of Kielmann 2000, and golden times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

constexpr std::int64_t four_MiB = 4194304;
// Near the optimum that the search finds for 4 MiB: header and segments cost the same.
constexpr const char* pipelined = "kielmann:segment=32Ki";

std::map<std::string, double> seconds(const std::string& name, const std::vector<std::string>& plans,
                                      std::int64_t bytes) {
  Job job = job_on(name);
  for (const std::string& plan : plans) job.points.push_back(broadcast(plan, bytes));
  const Simulated simulated = simulate(platform(name), job, 300);
  std::map<std::string, double> found;
  for (std::size_t i = 0; i < plans.size(); ++i) found[plans[i]] = simulated.points[i].repetitions[0].seconds;
  return found;
}

TEST(TheBroadcastsOfKielmann2000, TakeTheTimesThatThePaperMeasured) {
  EXPECT_NEAR(seconds("kielmann2000/das-4x16", {"magpie"}, four_MiB)["magpie"], 13.270, 0.03 * 13.270);
  EXPECT_NEAR(seconds("kielmann2000/das-4x1", {"magpie"}, four_MiB)["magpie"], 12.723, 0.03 * 12.723);
}

TEST(TheBroadcastsOfKielmann2000, StandToEachOtherAsInThePaper) {
  auto four_by_16 = seconds("kielmann2000/das-4x16", {"magpie", pipelined}, four_MiB);
  auto four_by_1 = seconds("kielmann2000/das-4x1", {pipelined}, four_MiB);
  auto eight_by_8 = seconds("kielmann2000/das-8x8", {"magpie", pipelined}, four_MiB);
  EXPECT_LT(four_by_16[pipelined], 1.05 * four_by_1[pipelined]) << "processes per cluster hardly matter";
  EXPECT_GE(four_by_16[pipelined], four_by_1[pipelined]);
  EXPECT_NEAR(eight_by_8[pipelined], four_by_16[pipelined], 0.1 * four_by_16[pipelined]);
  EXPECT_GE(four_by_16["magpie"], 2.9 * four_by_16[pipelined]);
  EXPECT_GE(eight_by_8["magpie"], 6 * eight_by_8[pipelined]);
}

TEST(SimulatedBroadcasts, AreTheSameEveryTime) {
  Job job = job_on("samples/uneven");
  job.points = {broadcast("binomial:segment=1000", 30000, 3)};
  job.repetitions = 3;
  job.warm_up = 1;
  const PointResult first = simulate(platform("samples/uneven"), job, 60).points[0];
  const PointResult second = simulate(platform("samples/uneven"), job, 60).points[0];
  ASSERT_EQ(first.repetitions.size(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(first.repetitions[i].rank_end_s, second.repetitions[i].rank_end_s);
    EXPECT_NEAR(first.repetitions[i].seconds, first.repetitions[0].seconds, 1e-9);
    EXPECT_EQ(first.repetitions[i].late_s(), 0);
  }
}

TEST(SimulatedBroadcasts, OfNothingTakeNoTime) {
  Job job = job_on("kielmann2000/das-4x4");
  for (const Algorithm* algorithm : algorithms_of(Collective::broadcast)) {
    job.points.push_back(broadcast(std::string(algorithm->id), 0));
  }
  for (const PointResult& point : simulate(platform("kielmann2000/das-4x4"), job, 60).points) {
    EXPECT_EQ(point.repetitions.at(0).seconds, 0);
  }
}

TEST(SimulatedBroadcasts, SayHowTheyWereSimulated) {
  Job job = job_on("samples/asymmetric");
  job.points = {broadcast("linear", 1)};
  using Setting = std::pair<std::string, std::string>;
  using testing::Contains;
  using testing::Key;
  const auto fifo = simulate(platform("samples/asymmetric"), job, 60).provenance;
  EXPECT_THAT(fifo, Contains(Setting{"queueing", "fifo"}));
  EXPECT_THAT(fifo, Contains(Setting{"network/model", "CM02"}));
  EXPECT_THAT(fifo, Contains(Key("simgrid")));
  EXPECT_THAT(simulate(platform("samples/asymmetric"), job, 60, {}, {Queueing::fluid}).provenance,
              Contains(Setting{"queueing", "fluid"}));
}

// Recorded with the SimGrid version named below. Another version may differ: record them again and say so in
// CHANGELOG.md.
TEST(SimulatedBroadcasts, TakeTheirGoldenTimes) {
  constexpr const char* version_taken_with = "3.32";
  struct Golden {
    const char* platform;
    const char* plan;
    std::int64_t bytes;
    double seconds;
  };
  const Golden golden[] = {
#include "algorithms/catalog.hpp"
#include "tests/smpi/golden_broadcasts.inc"
  };
  std::map<std::string, std::vector<Golden>> by_platform;
  for (const Golden& line : golden) by_platform[line.platform].push_back(line);
  for (const auto& [name, lines] : by_platform) {
    Job job = job_on(name);
    for (const Golden& line : lines) job.points.push_back(broadcast(line.plan, line.bytes));
    const Simulated simulated = simulate(platform(name), job, 120);
    const std::string& version = simulated.provenance.front().second;
    if (version != version_taken_with)
      GTEST_SKIP() << "times recorded with SimGrid " << version_taken_with << "; this is SimGrid " << version;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_NEAR(simulated.points[i].repetitions[0].seconds, lines[i].seconds, 1e-9)
          << name << ' ' << lines[i].plan << ' ' << lines[i].bytes;
    }
  }
}

}  // namespace
}  // namespace isthmus
