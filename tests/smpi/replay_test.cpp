// Simulation and replay are two implementations of one network: they must give the same times.
#include "algorithms/replay/replay.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include "algorithms/catalog.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

class OnAPlatform : public testing::TestWithParam<const char*> {};

// Where two messages reach a link at the same instant, either may go first. With these plans that changes the end by
// less than a microsecond, with the others by a segment or two.
TEST_P(OnAPlatform, TheReplayOfABroadcastTakesTheTimeOfItsSimulation) {
  Job job = job_on(GetParam());
  const int size = job.placement.size();
  for (const char* plan :
       {"linear", "chain", "chain:segment=10000", "binomial", "binomial:segment=10000", "magpie",
        "kielmann:segment=10000", "kielmann:segment=10000,wan-degree=1,lan-degree=2", "multilevel"}) {
    for (std::int64_t bytes : {1, 1000, 100000, 1000000}) {
      for (int root : {0, size - 1}) job.points.push_back(broadcast(plan, bytes, root));
    }
  }
  const Topology topology = topology_of(job.network, job.placement);
  const Simulated simulated = simulate(platform(GetParam()), job, 120);
  for (std::size_t i = 0; i < job.points.size(); ++i) {
    const Point& point = job.points[i];
    const double replayed_s =
        replay({job.network, job.placement}, 1, source(point.plan, topology, point.problem)).seconds;
    EXPECT_NEAR(simulated.points[i].repetitions[0].seconds, replayed_s, 1e-5 * replayed_s + rounding_s)
        << to_string(point.plan) << ", " << point.problem.bytes() << " bytes, root " << point.problem.root;
  }
}

// A message without header is there as soon as it is sent; so is the answer.
TEST(SimulationAndReplay, AgreeWhereRoutesHaveNoLatency) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("isthmus-no-latency-" + std::to_string(getpid()) + ".xml")).string();
  for (const char* header_bytes : {"0", "100"}) {
    std::ofstream(file) << R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="no-latency" routing="Full"><prop id="isthmus.header_bytes" value=")"
                        << header_bytes << R"("/>
<cluster id="a" prefix="a" suffix="" radical="0-2" speed="1Gf" bw="1GBps" lat="0us" router_id="ar"/>
<cluster id="b" prefix="b" suffix="" radical="0-2" speed="1Gf" bw="1GBps" lat="0us" router_id="br"/>
<link id="w" bandwidth="10MBps" latency="0ms"/>
<zoneRoute src="a" dst="b" gw_src="ar" gw_dst="br"><link_ctn id="w"/></zoneRoute></zone></platform>)";
    Job job;
    job.network = read_platform(file);
    job.placement = place_ranks(job.network, PlacementRule::block, 1);
    const Topology topology = topology_of(job.network, job.placement);
    for (const auto& [collective, plan] : {std::pair{Collective::broadcast, "linear"},
                                           {Collective::broadcast, "chain:segment=1000"},
                                           {Collective::allreduce, "ring"},
                                           {Collective::alltoall, "pairwise"}})
      for (const std::int64_t bytes : {0, 1, 1000, 100000})
        job.points.push_back(
            {{.collective = collective, .count = bytes, .element_bytes = 1}, parse_plan(collective, plan)});
    const Simulated simulated = simulate(file, job, 120);
    for (std::size_t i = 0; i < job.points.size(); ++i) {
      const Point& point = job.points[i];
      EXPECT_NEAR(simulated.points[i].repetitions.at(0).seconds,
                  replay({job.network, job.placement}, 1, source(point.plan, topology, point.problem)).seconds,
                  rounding_s)
          << name(point.problem.collective) << '/' << to_string(point.plan) << ", " << point.problem.bytes()
          << " bytes";
    }
  }
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Platforms, OnAPlatform,
                         testing::Values("kielmann2000/das-4x4", "samples/uneven", "samples/asymmetric",
                                         "samples/torus"),
                         [](const auto& name) {
                           std::string last = name.param;
                           last.erase(0, last.find('/') + 1);
                           std::erase(last, '-');
                           return last;
                         });

}  // namespace
}  // namespace isthmus
