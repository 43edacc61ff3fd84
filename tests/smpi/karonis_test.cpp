// The experiment of Karonis 2000, section 4 (figures 6 to 9): broadcasts over two sites with three machines, every rank
// as root in turn, the times of all roots added up.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "algorithms/replay/replay.hpp"
#include "tests/smpi/simulating.hpp"

namespace isthmus {
namespace {

/// The paper's name of a broadcast, and the plan and platform that stand for it.
struct Contestant {
  const char* name;
  const char* platform;            ///< the same machines and links, grouped differently
  std::vector<std::string> plans;  ///< for each root and size the one that the replay holds for faster
};
const Contestant contestants[] = {
    {"binomial", "karonis2000/three-machines", {"binomial"}},
    {"MagPIe-machine", "karonis2000/by-machine", {"magpie"}},
    {"MagPIe-site", "karonis2000/by-site", {"magpie"}},
    {"always apart", "karonis2000/three-machines", {"multilevel"}},
    {"multilevel", "karonis2000/three-machines", {"multilevel", "multilevel:merged=2"}},
};
constexpr std::int64_t sizes[] = {1, 1024, 16384, 262144};
constexpr int ranks = 48;

using Seconds = std::map<std::pair<std::string, std::int64_t>, double>;

Point faster(const Contestant& contestant, const Job& job, const Topology& topology, std::int64_t bytes, int root) {
  Point best;
  double min_s = std::numeric_limits<double>::infinity();
  for (const std::string& plan : contestant.plans) {
    const Point point = broadcast(plan, bytes, root);
    const double seconds =
        replay({job.network, job.placement}, point.problem.element_bytes, source(point.plan, topology, point.problem))
            .seconds;
    if (seconds >= min_s) continue;
    min_s = seconds;
    best = point;
  }
  return best;
}

Seconds over_all_roots() {
  Seconds seconds;
  for (const Contestant& contestant : contestants) {
    Job job = job_on(contestant.platform);
    const Topology topology = topology_of(job.network, job.placement);
    for (const std::int64_t bytes : sizes)
      for (int root = 0; root < ranks; ++root) job.points.push_back(faster(contestant, job, topology, bytes, root));
    const Simulated simulated = simulate(platform(contestant.platform), job, 300);
    for (std::size_t i = 0; i < simulated.points.size(); ++i)
      seconds[{contestant.name, sizes[i / ranks]}] += simulated.points[i].repetitions[0].seconds;
  }
  return seconds;
}

TEST(TheExperimentOfKaronis2000, MultilevelIsFastestAndBinomialSlowestAtEverySize) {
  const Seconds seconds = over_all_roots();
  for (const std::int64_t bytes : sizes) {
    const auto of = [&](const char* name) { return seconds.at({name, bytes}); };
    fmt::print(
        "{:>7} B, seconds over all roots: binomial {:.4f}, MagPIe-machine {:.4f}, MagPIe-site {:.4f}, "
        "multilevel {:.4f}, sites and machines always apart {:.4f}\n",
        bytes, of("binomial"), of("MagPIe-machine"), of("MagPIe-site"), of("multilevel"), of("always apart"));
    EXPECT_LE(of("multilevel"), of("MagPIe-machine")) << bytes;
    EXPECT_LE(of("multilevel"), of("MagPIe-site")) << bytes;
    EXPECT_LE(of("multilevel"), of("always apart")) << bytes;
    EXPECT_LT(of("MagPIe-machine"), of("binomial")) << bytes;
    EXPECT_LT(of("MagPIe-site"), of("binomial")) << bytes;
  }
  const auto of_longest = [&](const char* name) { return seconds.at({name, 262144}); };
  EXPECT_LT(of_longest("multilevel"), 0.8 * of_longest("MagPIe-site"));
  EXPECT_LT(of_longest("multilevel"), 0.8 * of_longest("MagPIe-machine"));
}

}  // namespace
}  // namespace isthmus
