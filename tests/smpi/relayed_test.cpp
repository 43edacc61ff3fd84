// Collectives on platforms without routes between the clusters: simulated, where a message without a route is an error.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/smpi/simulating.hpp"
#include "tests/support/catalog_plans.hpp"

namespace isthmus {
namespace {

/// The first plans of each collective that serve.
std::vector<Point> points_on(const Topology& topology, std::int64_t count) {
  constexpr std::size_t plans_a_collective = 2;
  std::vector<Point> points;
  for (const Collective collective : collectives()) {
    std::size_t found = 0;
    for (const std::string& text : tests::plans_of(collective)) {
      const Plan plan = parse_plan(collective, text);
      const Problem problem{collective, carries_data(collective) ? count : 0, 4, 0};
      if (found < plans_a_collective && serves(plan, topology, problem)) {
        points.push_back({problem, plan});
        ++found;
      }
    }
  }
  return points;
}

/// Which of two operations that are ready at the same instant a processor does first is not defined.
void expect_the_replays_seconds(const std::string& platform_name, Job job, const PlacedNetwork& placed) {
  for (const std::int64_t count : {2, 60000}) {
    job.points = points_on(placed.topology(), count);
    const Simulated simulated = simulate(platform(platform_name), job, 300);
    ASSERT_EQ(simulated.points.size(), job.points.size());
    for (std::size_t i = 0; i < job.points.size(); ++i) {
      const Point& point = job.points[i];
      const double replayed_s = replay(placed, 4, source(point.plan, placed.topology(), point.problem)).seconds;
      const double tolerance_s = 0.05 * replayed_s + job.network.transport.send_overhead_s;
      EXPECT_NEAR(simulated.points[i].repetitions[0].seconds, replayed_s, tolerance_s)
          << name(point.problem.collective) << "/" << to_string(point.plan) << ", " << count;
      EXPECT_EQ(simulated.points[i].repetitions[0].rank_end_s.size(), static_cast<std::size_t>(placed.size()));
    }
  }
}

class SimulatedWithoutRoutes : public testing::TestWithParam<const char*> {};

TEST_P(SimulatedWithoutRoutes, TakesWhatTheReplayTakes) {
  const Job job = job_on(GetParam());
  const PlacedNetwork placed(job.network, job.placement);
  ASSERT_FALSE(placed.topology().connectivity().complete());
  expect_the_replays_seconds(GetParam(), job, placed);
}

TEST(SimulatedOverAnIdleGateway, TakesWhatTheReplayTakes) {
  const Job job = job_on("aumage2003/idle-gateway");
  expect_the_replays_seconds("aumage2003/idle-gateway", job, {job.network, job.placement});
}

TEST(SimulatedOverAnIdleGateway, LeavesOutAGatewayWithoutARank) {
  Job job = job_on("aumage2003/sci-myrinet");
  job.placement = on_hosts(job.network, {"foo0", "goo0", "goo1"});
  expect_the_replays_seconds("aumage2003/sci-myrinet", job, {job.network, job.placement});
}

/// Four hosts, each two with a line of their own, but for the first and the last.
Network four_hosts() {
  Network network;
  network.name = "four";
  network.transport = tcp_over_ethernet();
  for (int number = 0; number < 4; ++number) {
    Host& host = network.hosts.emplace_back();
    host.name = fmt::format("h{}", number);
    host.endpoint = number;
  }
  struct Line {
    int from, to;
    double bandwidth_Bps, latency_s;
  };
  for (const Line& line :
       {Line{0, 1, 25e6, 20e-6}, {0, 2, 88e6, 60e-6}, {1, 2, 27e6, 65e-6}, {1, 3, 83e6, 66e-6}, {2, 3, 25e6, 64e-6}}) {
    network.trunks[{line.from, line.to}].links =
        network.trunks[{line.to, line.from}].links = {static_cast<int>(network.links.size())};
    network.links.push_back({.name = fmt::format("l{}{}", line.from, line.to),
                             .bandwidth_Bps = line.bandwidth_Bps,
                             .latency_s = line.latency_s});
  }
  return network;
}

// A rank that relays sends in several lanes: the acknowledgement that one waits for is not that of the last send.
TEST(ASimulatedRelay, WaitsForTheAcknowledgementOfItsOwnLane) {
  Job job;
  job.network = four_hosts();
  job.placement = place_ranks(job.network, PlacementRule::block, 1);
  const PlacedNetwork placed(job.network, job.placement);
  const Plan plan = parse_plan(Collective::alltoall, "pairwise");
  for (const std::int64_t bytes : {65536, 65537, 1000000})
    job.points.push_back({{Collective::alltoall, bytes, 1, 0}, plan});
  const Simulated simulated = simulate("four.json", job, 120);
  for (std::size_t i = 0; i < job.points.size(); ++i)
    EXPECT_NEAR(simulated.points.at(i).repetitions.at(0).seconds,
                replay(placed, 1, source(plan, placed.topology(), job.points[i].problem)).seconds, rounding_s)
        << job.points[i].problem.bytes();
}

INSTANTIATE_TEST_SUITE_P(Platforms, SimulatedWithoutRoutes,
                         testing::Values("aumage2003/sci-myrinet", "aumage2003/two-gateways"), [](const auto& which) {
                           std::string name = which.param;
                           std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
                           return name;
                         });

}  // namespace
}  // namespace isthmus
