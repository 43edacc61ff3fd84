// Simulation and replay are two implementations of one network: they must give the same times.
#include "algorithms/models/replay.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

// SimGrid takes events within 1e-10 s of each other as one; along a chain of messages that adds up.
constexpr double kRounding_s = 2e-9;

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
        replay(job.network, job.placement, 1, source(point.plan, topology, point.problem)).seconds;
    EXPECT_NEAR(simulated.points[i].repetitions[0].seconds, replayed_s, 1e-5 * replayed_s + kRounding_s)
        << to_string(point.plan) << ", " << point.problem.bytes() << " bytes, root " << point.problem.root;
  }
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
