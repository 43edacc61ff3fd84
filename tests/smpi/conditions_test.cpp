// Links that change over time and ambient traffic, under SMPI.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>

#include "algorithms/errors.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double near_s = 1e-8;

/// A broadcast of 10^6 bytes is one message from c0-0 to c1-0. It costs 1000100 bytes and reaches the wide-area link
/// after 10 us; there are 10.01 ms behind that link's beginning.
Job one_message(int repetitions = 1) {
  Job job = job_on("kielmann2000/das-4x1");
  job.placement = on_hosts(job.network, {"c0-0", "c1-0"});
  job.points = {broadcast("linear", 1000000)};
  job.repetitions = repetitions;
  return job;
}

std::vector<double> seconds(const Conditions& conditions, const Job& job = one_message()) {
  SimulationOptions options;
  options.conditions = conditions;
  const Simulated simulated = simulate(platform("kielmann2000/das-4x1"), job, 60, {}, options);
  std::vector<double> times;
  for (const Repetition& repetition : simulated.points.at(0).repetitions) times.push_back(repetition.seconds);
  return times;
}

TEST(ASimulatedLink, ChangesAfterTheStartOfEachRepetition) {
  Conditions conditions;
  conditions.changes = {{0.5, "wan-c0-c1", 0.1, {}}};
  const double slow_s = 0.5 + (1000100 - (0.5 - 10e-6) * 1e6) / 1e5 + 0.01001;
  for (const double got_s : seconds(conditions, one_message(3))) EXPECT_NEAR(got_s, slow_s, near_s);

  conditions.changes.push_back({0.6, "wan-c0-c1_UP", 1, 0.25});
  EXPECT_NEAR(seconds(conditions)[0], 0.6 + 1.0001 - (0.5 - 10e-6) - 0.01 + 0.25001, near_s);
}

TEST(ASimulatedLink, HoldsWhatMeetsACutUntilItIsBack) {
  Conditions conditions;
  conditions.changes = {{0, "wan-*", 0, {}}, {2, "wan-*", 1, {}}};
  EXPECT_NEAR(seconds(conditions)[0], 2 + 1.0001 + 0.01001, near_s);
  conditions.changes = {{0.5, "wan-*", 0, {}}, {2.5, "wan-*", 1, {}}};
  EXPECT_NEAR(seconds(conditions)[0], 2 + 10e-6 + 1.0001 + 0.01001, near_s);
  conditions.changes.pop_back();
  EXPECT_THAT([&] { seconds(conditions); },
              ThrowsMessage<Refused>(HasSubstr("link `wan-*` has been cut since 0.5 s after the start")));
}

TEST(SimulatedTraffic, IsInTheWayOnlyWhereItGoes) {
  Conditions conditions;
  const AmbientTraffic elsewhere{.from = "c2-0", .to = "c3-0", .rate_Bps = 5e5};
  conditions.traffic = {elsewhere};
  EXPECT_NEAR(seconds(conditions)[0], 10e-6 + 1.0001 + 0.01001, near_s);

  // Half of the link's rate. The queue behind one message delays the next.
  conditions.traffic = {{.from = "c0-0", .to = "c1-0", .rate_Bps = 5e5}};
  const std::vector<double> among = seconds(conditions, one_message(5));
  EXPECT_GE(*std::min_element(among.begin(), among.end()), 10e-6 + 1.0001 + 0.01001 - near_s);
  EXPECT_GT(*std::max_element(among.begin(), among.end()), 1.0101 + 0.1);
  EXPECT_LT(*std::max_element(among.begin(), among.end()), 1.0101 + 0.5);
}

TEST(SimulatedTraffic, IsDecidedByItsSeed) {
  Conditions conditions;
  conditions.traffic = {{.from = "c0-0",
                         .to = "c1-0",
                         .kind = AmbientTraffic::Kind::bursty,
                         .rate_Bps = 2e6,
                         .on_s = 0.05,
                         .off_s = 0.2}};
  const std::vector<double> once = seconds(conditions, one_message(4));
  EXPECT_EQ(once, seconds(conditions, one_message(4)));
  EXPECT_NE(once[0], once[1]);  // each repetition meets another stretch of it
  conditions.seed = 2;
  EXPECT_NE(once, seconds(conditions, one_message(4)));
}

TEST(SimulatedConditions, AreRefusedWhereThereIsNoNotionOfThem) {
  Conditions conditions;
  conditions.links = {{"wan-*", {.loss = 0.01}}};
  EXPECT_THAT([&] { seconds(conditions); }, ThrowsMessage<BadInput>(HasSubstr("`wan-*`: loss, jitter")));
  conditions = {};
  conditions.changes = {{1, "wan-c0-c9", 0, {}}};
  EXPECT_THAT([&] { seconds(conditions); }, ThrowsMessage<BadInput>(HasSubstr("`wan-c0-c9`")));
  conditions = {};
  conditions.traffic = {{.from = "c0-0", .to = "nobody", .rate_Bps = 1}};
  EXPECT_THAT([&] { seconds(conditions); }, ThrowsMessage<BadInput>(HasSubstr("`nobody`")));
  conditions.traffic[0].to = "c1-0";
  SimulationOptions fluid{Queueing::fluid, conditions, {}};
  EXPECT_THAT([&] { simulate(platform("kielmann2000/das-4x1"), one_message(), 60, {}, fluid); },
              ThrowsMessage<BadInput>(HasSubstr("fifo")));
}

/// Two hosts on a link with the attributes given.
class ProfiledPlatform : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "isthmus-profile-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  std::string platform_with(const std::string& attributes) const {
    write("line.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="line" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="1MBps" latency="10ms" sharing_policy="SPLITDUPLEX")" +
                          attributes + R"(/>
<route src="a" dst="b"><link_ctn id="l" direction="UP"/></route></zone></platform>)");
    return (folder_ / "line.xml").string();
  }

  static double seconds_on(const std::string& file) {
    Job job;
    job.network = read_platform(file);
    job.network.transport = {};  // the link alone
    job.placement = place_ranks(job.network, PlacementRule::block, 1);
    job.points = {broadcast("linear", 1000000)};
    job.repetitions = 2;
    const Simulated simulated = simulate(file, job, 60);
    EXPECT_NEAR(simulated.points[0].repetitions[0].seconds, simulated.points[0].repetitions[1].seconds, near_s);
    return simulated.points[0].repetitions[1].seconds;
  }

  std::filesystem::path folder_;
};

TEST_F(ProfiledPlatform, HasLinksThatChange) {
  write("rate", "# B/s\n0.0 1e6\n0.5 1e5\n0.7 1e6\nLOOPAFTER 0.3\n");
  write("latency", "0.25 0.2\n");
  const std::string file = platform_with(R"( bandwidth_file="rate" latency_file="latency")");
  const Network network = read_platform(file);
  const std::span<const LinkStep> profile = network.profile_of(0);
  ASSERT_GT(profile.size(), 6U);
  const double expected[][3] = {{0, 1e6, 0.01},  {0.25, 1e6, 0.2}, {0.5, 1e5, 0.2},
                                {0.7, 1e6, 0.2}, {1, 1e6, 0.2},    {1.5, 1e5, 0.2}};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_NEAR(profile[i].at_s, expected[i][0], 1e-12);
    EXPECT_EQ(profile[i].bandwidth_Bps, expected[i][1]);
    EXPECT_EQ(profile[i].latency_s, expected[i][2]);
  }
  EXPECT_NEAR(seconds_on(file), 1.18 + 0.2, near_s);
}

TEST_F(ProfiledPlatform, IsRefusedWhenItCannotBeRead) {
  const auto refused = [&](const std::string& text, const std::string& says) {
    write("rate", text);
    const std::string file = platform_with(R"( bandwidth_file="rate")");
    EXPECT_THAT([&] { read_platform(file); },
                ThrowsMessage<BadInput>(testing::AllOf(HasSubstr("line.xml:"), HasSubstr(says))))
        << text;
  };
  refused("0 fast\n", "\"0 fast\" cannot be read");
  refused("1 1e6\n0 1e5\n", "0 s comes after 1 s");
  refused("STOCHASTIC\nDET 0 UNIF 1 2\n", "\"STOCHASTIC\"");
  refused("# nothing\n", "nothing in it");
  refused("PERIODICITY 1\n0 1e6\n2 1e5\n", "period of 1 s");
  const std::string file = platform_with(R"( bandwidth_file="absent")");
  EXPECT_THAT([&] { read_platform(file); }, ThrowsMessage<BadInput>(HasSubstr("absent: cannot be read")));
}

}  // namespace
}  // namespace isthmus
