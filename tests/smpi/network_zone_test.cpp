// A network without a SimGrid file is simulated like one that SimGrid reads itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/replay/replay.hpp"
#include "sim/measure.hpp"
#include "tests/smpi/simulating.hpp"
#include "tests/support/catalog_plans.hpp"

namespace isthmus {
namespace {

const std::string in_json = "in.json";  // not read: the network is part of the job

std::string last_of(const std::string& path) {
  std::string last = path.substr(path.find('/') + 1);
  std::erase(last, '-');
  return last;
}

/// A broadcast, an allreduce and an alltoall of few and many bytes, with the first plans that serve.
std::vector<Point> points_on(const Topology& topology) {
  constexpr std::size_t plans_a_collective = 2;
  std::vector<Point> points;
  for (const Collective collective : {Collective::broadcast, Collective::allreduce, Collective::alltoall}) {
    std::size_t found = 0;
    for (const std::string& text : tests::plans_of(collective)) {
      const Plan plan = parse_plan(collective, text);
      if (found == plans_a_collective || !serves(plan, topology, {collective, 1, 4, 0})) continue;
      ++found;
      for (const std::int64_t count : {3, 50000}) points.push_back({{collective, count, 4, 0}, plan});
    }
  }
  return points;
}

class ANetworkInJson : public testing::TestWithParam<const char*> {};

TEST_P(ANetworkInJson, IsSimulatedLikeItsSimGridFile) {
  Job job = job_on(GetParam());
  job.points = points_on(PlacedNetwork(job.network, job.placement).topology());
  ASSERT_GT(job.points.size(), 5u);
  for (const Queueing queueing : {Queueing::fifo, Queueing::fluid}) {
    const SimulationOptions options{.queueing = queueing};
    const Simulated read_by_simgrid = simulate(platform(GetParam()), job, 120, {}, options);
    const Simulated made = simulate(in_json, job, 120, {}, options);
    ASSERT_EQ(made.points.size(), job.points.size());
    for (std::size_t i = 0; i < job.points.size(); ++i)
      EXPECT_NEAR(made.points[i].repetitions.at(0).seconds, read_by_simgrid.points[i].repetitions.at(0).seconds,
                  rounding_s)
          << name(job.points[i].problem.collective) << '/' << to_string(job.points[i].plan) << ", "
          << job.points[i].problem.bytes() << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, ANetworkInJson,
                         testing::Values("kielmann2000/das-4x4", "samples/asymmetric", "samples/torus",
                                         "lowekamp1995/figure1", "aumage2003/idle-gateway"),
                         [](const auto& platform) { return last_of(platform.param); });

/// Two hosts, as `discover` has them: without a speed. Their names are those that a zone might take.
Network two_hosts(const std::vector<Link>& links) {
  Network network;
  network.name = "two";
  network.links = links;
  for (const char* name : {"zone", "zone_"}) {
    Host& host = network.hosts.emplace_back();
    host.name = name;
    host.endpoint = static_cast<int>(network.hosts.size()) - 1;
    host.cores = 2;
  }
  std::vector<int> all;
  for (int link = 0; link < static_cast<int>(links.size()); ++link) all.push_back(link);
  network.trunks = {{{0, 1}, {all}}, {{1, 0}, {all}}};
  network.transport = {.send_overhead_s = 1e-6, .receive_overhead_s = 2e-6};
  return network;
}

void expect_the_replays_seconds(const Network& network) {
  Job job;
  job.network = network;
  job.placement = place_ranks(network, PlacementRule::block, 2);
  const PlacedNetwork placed(job.network, job.placement);
  job.points = points_on(placed.topology());
  const Simulated simulated = simulate(in_json, job, 120);
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const auto& [problem, plan] = job.points[i];
    EXPECT_NEAR(simulated.points[i].repetitions.at(0).seconds,
                replay(placed, problem.element_bytes, source(plan, placed.topology(), problem)).seconds, rounding_s)
        << name(problem.collective) << '/' << to_string(plan) << ", " << problem.bytes() << " bytes";
  }
}

TEST(ASimulatedNetworkInJson, MayHaveRoutesWithoutLinks) { expect_the_replays_seconds(two_hosts({})); }

TEST(ASimulatedNetworkInJson, MayHaveLinksWithoutLatencyAndOfEachSharing) {
  Link shared{.name = "shared", .bandwidth_Bps = 1e8};
  Link fatpipe{.name = "fatpipe", .bandwidth_Bps = 1e7, .latency_s = 1e-3, .sharing = Sharing::fatpipe};
  expect_the_replays_seconds(two_hosts({shared}));
  expect_the_replays_seconds(two_hosts({shared, fatpipe}));
}

TEST(ASimulatedNetworkInJson, MayLackTheSpeedOfHosts) {
  const Network network = two_hosts({{.name = "line", .bandwidth_Bps = 1e7, .latency_s = 1e-3}});
  MeasuringTask task;
  task.pairs = {{0, 1, true}};
  const std::vector<MeasuredPair> pairs = measure_simulated(in_json, network, {{0, 1}}, task, 60);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_NEAR(pairs.front().latency.seconds, 1e-3, 1e-5);
}

}  // namespace
}  // namespace isthmus
