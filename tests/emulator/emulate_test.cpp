// Whole jobs on the emulated network, in virtual time: several may run at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/errors.hpp"
#include "algorithms/process/sanitizer.hpp"
#include "tests/emulator/jobs.hpp"

namespace isthmus {
namespace {

using testing::HasSubstr;

/// Times within 3 % of the replay's, of few bytes 6 %, and the right data.
void expect_as_replayed(const Job& job, const Emulated& result) {
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const double expected = test::replayed_s(job, job.points[i]);
    const std::int64_t bytes = job.points[i].problem.bytes();
    EXPECT_NEAR(result.points[i].repetitions.front().seconds, expected, (bytes >= 65536 ? 0.03 : 0.06) * expected)
        << to_string(job.points[i].plan) << ", " << bytes << " B";
    EXPECT_TRUE(result.points[i].correct);
  }
}

TEST(EmulateVirtual, GivesTheSameSecondsTwice) {
  NEEDS_SUBSTRATE(virtual_substrate());
  Job job = test::broadcasts({.clusters = 2, .hosts = 2}, {"magpie", "binomial"}, {1, 65536});
  job.repetitions = 2;
  const Emulated first = emulate(job, test::on("virtual"));
  const Emulated second = emulate(job, test::on("virtual"));
  ASSERT_EQ(first.points.size(), 4U);
  for (std::size_t i = 0; i < first.points.size(); ++i) {
    for (int repetition = 0; repetition < job.repetitions; ++repetition) {
      EXPECT_EQ(first.points[i].repetitions[repetition].seconds, second.points[i].repetitions[repetition].seconds);
    }
  }
  for (std::size_t i = 0; i < first.achieved.size(); ++i) {
    EXPECT_EQ(first.achieved[i].latency_s, second.achieved[i].latency_s);
    EXPECT_EQ(first.achieved[i].bandwidth_Bps, second.achieved[i].bandwidth_Bps);
  }
}

TEST(EmulateVirtual, AgreesWithTheReplayOnFourClustersOfFour) {
  NEEDS_SUBSTRATE(virtual_substrate());
  const Job job = test::broadcasts({.clusters = 4, .hosts = 4}, {"kielmann:segment=16Ki", "magpie", "binomial"},
                                   {1, 1024, 65536, 1048576});
  std::vector<int> finished;
  const Emulated result =
      emulate(job, test::on("virtual"), {.done = [&](int number, const PointResult&) { finished.push_back(number); }});
  for (const Achieved& achieved : result.achieved) {
    EXPECT_NEAR(achieved.latency_s, achieved.asked_latency_s, 0.01 * achieved.asked_latency_s);
    EXPECT_NEAR(achieved.bandwidth_Bps, achieved.asked_bandwidth_Bps, 0.01 * achieved.asked_bandwidth_Bps);
  }
  ASSERT_EQ(finished.size(), job.points.size());
  expect_as_replayed(job, result);
}

std::int64_t management_bytes(const Emulated& emulated) {
  for (const auto& [name, value] : emulated.provenance)
    if (name == "management_bytes") return std::stoll(value);
  return -1;
}

TEST(EmulateVirtual, RelaysDataWhereThereIsNoRoute) {
  NEEDS_SUBSTRATE(virtual_substrate());
  std::int64_t of_start = 0;
  for (const std::int64_t bytes : {1, 1048576}) {
    Job job = test::broadcasts({.clusters = 3, .hosts = 2}, {"magpie", "packed", "binomial"}, {bytes});
    job.network.trunks.erase({0, 2});
    job.network.trunks.erase({2, 0});
    const Emulated result = emulate(job, test::on("virtual"));
    expect_as_replayed(job, result);
    if (bytes == 1) of_start = management_bytes(result);
    EXPECT_GT(of_start, 0);
    EXPECT_NEAR(static_cast<double>(management_bytes(result)), static_cast<double>(of_start), 20000)
        << "start and end alone";
  }
  Job own = test::broadcasts({.clusters = 3, .hosts = 1}, {"mpi"}, {8});
  own.network.trunks.erase({0, 2});
  own.network.trunks.erase({2, 0});
  EXPECT_THROW(emulate(own, test::on("virtual")), Error) << "the MPI's own messages are not relayed";
}

TEST(EmulateVirtual, ForwardsDataOverHostsWithoutRanks) {
  NEEDS_SUBSTRATE(virtual_substrate());
  for (const std::int64_t bytes : {1, 1048576}) {
    Job job = test::broadcasts({.clusters = 3, .hosts = 2}, {"magpie", "packed", "binomial"}, {bytes});
    job.network.trunks.erase({0, 2});
    job.network.trunks.erase({2, 0});
    job.placement.host_of_rank = {0, 1, 4, 5};  // the hosts of the cluster between them are idle
    const Emulated result = emulate(job, test::on("virtual"));
    expect_as_replayed(job, result);
    EXPECT_LT(management_bytes(result), 100000) << "start and end alone";
  }
}

TEST(EmulateVirtual, PutsSeveralRanksOnAHost) {
  NEEDS_SUBSTRATE(virtual_substrate());
  Job job = test::broadcasts({.clusters = 2, .hosts = 1}, {"multilevel"}, {4096});
  job.placement = place_ranks(job.network, PlacementRule::cyclic, 3);
  const Emulated result = emulate(job, test::on("virtual"));
  EXPECT_EQ(result.points.front().repetitions.front().rank_end_s.size(), 6U);
  EXPECT_NEAR(result.points.front().repetitions.front().seconds, test::replayed_s(job, job.points.front()), 0.001);
}

TEST(EmulateVirtual, TakesALatencyOfAFractionOfAMicrosecond) {
  NEEDS_SUBSTRATE(virtual_substrate());
  Job job = test::broadcasts({.clusters = 2, .hosts = 1}, {"multilevel"}, {4096});
  for (Host& host : job.network.hosts) {
    host.loopback = {static_cast<int>(job.network.links.size())};
    job.network.links.push_back({host.name + "-loopback", 1e9, 0.3e-6, Sharing::shared});
  }
  job.placement = place_ranks(job.network, PlacementRule::cyclic, 2);
  const Emulated result = emulate(job, test::on("virtual"));
  const auto loopback = std::ranges::find(result.achieved, 0.3e-6, &Achieved::asked_latency_s);
  ASSERT_NE(loopback, result.achieved.end());
  EXPECT_LT(loopback->latency_s, 0.1e-6) << "whole microseconds";
}

TEST(EmulateVirtual, SendsNothingAgainOnALineThatIsSlowInOneDirection) {
  NEEDS_SUBSTRATE(virtual_substrate());
  for (const double slow_Bps : {1e3, 20e3}) {
    Job job = test::broadcasts({.clusters = 2, .hosts = 1}, {"linear"}, {65536});
    for (Link& link : job.network.links)
      if (link.name.starts_with("wan") && link.name.ends_with("DOWN")) link.bandwidth_Bps = slow_Bps;
    job.points.front().problem.root = 1;
    const Emulated result = emulate(job, test::on("virtual"));
    expect_as_replayed(job, result);
  }
}

TEST(EmulateVirtual, RefusesALinkOutOfTolerance) {
  NEEDS_SUBSTRATE(virtual_substrate());
  const Job job = test::broadcasts({.clusters = 2, .hosts = 1}, {"linear"}, {1});
  EmulationOptions options = test::on("virtual");
  options.tolerance = 1e-9;
  try {
    emulate(job, options);
    FAIL() << "accepted";
  } catch (const Refused& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("the emulated latency from c0-0 to c1-0 is"));
  }
}

TEST(Substrates, AreNamedWhenTheyAreUnknown) {
  const Job job = test::broadcasts({.clusters = 2, .hosts = 1}, {"linear"}, {1});
  EXPECT_THROW(emulate(job, test::on("xen")), BadInput);
}

TEST(Substrates, SayWhatWouldBringTheVirtualOne) {
  const Job job = test::broadcasts({.clusters = 2, .hosts = 1}, {"linear"}, {1});
  const char* const before = getenv("XDG_CACHE_HOME");
  const std::string kept = before != nullptr ? before : "";
  setenv("XDG_CACHE_HOME", "/nonexistent", 1);
  try {
    emulate(job, test::on("virtual"));
    ADD_FAILURE() << "accepted";
  } catch (const Missing& missing) {
    EXPECT_THAT(missing.what(), HasSubstr(has_address_sanitizer ? "another build" : "scripts/setup --virtual"));
  }
  if (kept.empty()) {
    unsetenv("XDG_CACHE_HOME");
  } else {
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace isthmus
