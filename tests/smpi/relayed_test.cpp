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

INSTANTIATE_TEST_SUITE_P(Platforms, SimulatedWithoutRoutes,
                         testing::Values("aumage2003/sci-myrinet", "aumage2003/two-gateways"), [](const auto& which) {
                           std::string name = which.param;
                           std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
                           return name;
                         });

}  // namespace
}  // namespace isthmus
