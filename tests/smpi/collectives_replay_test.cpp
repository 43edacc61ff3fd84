// Replay and simulation of every collective, at random: platforms, plans, sizes, placements, roots.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "algorithms/models/replay.hpp"
#include "tests/smpi/simulating.hpp"
#include "tests/support/collective_sweep.hpp"

namespace isthmus {
namespace {

// SimGrid takes events within 1e-10 s of each other as one; along a chain of messages that adds up.
constexpr double rounding_s = 2e-9;
constexpr const char* platforms[] = {"kielmann2000/das-4x4", "samples/uneven", "samples/asymmetric", "samples/torus"};

template <typename Choices>
const auto& one_of(const Choices& choices, std::mt19937_64& random) {
  return choices[random() % std::size(choices)];
}

/// A point that its plan serves.
Point random_point(const Topology& topology, std::mt19937_64& random) {
  for (;;) {
    const Algorithm& algorithm = one_of(algorithms(), random);
    const double largest = std::log2(1 << 18);
    const auto bytes = static_cast<std::int64_t>(std::exp2(largest * static_cast<double>(random() % 1000) / 1000));
    const bool barrier = algorithm.collective == Collective::barrier;
    Problem problem =
        one_of(tests::sweep_problems(algorithm.collective, topology.size(), barrier ? 0 : (bytes + 3) / 4, 0), random);
    if (has_root(algorithm.collective)) problem.root = static_cast<int>(random() % topology.size());
    Plan plan{&algorithm, {}};
    if (takes(algorithm, "segment") && random() % 2 == 0) plan.parameters.segment_bytes = 4 << random() % 14;
    if (problem.count * 4 > 64 * plan.parameters.segment_bytes) plan.parameters.segment_bytes = 0;
    if (serves(plan, topology, problem)) return {problem, plan};
  }
}

/// Some ranks on the hosts of a platform, and points for them.
Job random_job(const char* name, int points, std::mt19937_64& random) {
  Job job = job_on(name);
  const int most = job.placement.size();
  const PlacementRule rule = random() % 2 == 0 ? PlacementRule::block : PlacementRule::cyclic;
  job.placement = place(job.network, rule, 1, most - static_cast<int>(random() % (most / 2)));
  const Topology topology = topology_of(job.network, job.placement);
  for (int point = 0; point < points; ++point) job.points.push_back(random_point(topology, random));
  return job;
}

double replayed_s(const Network& network, const Placement& placement, const Point& point) {
  const Topology topology = topology_of(network, placement);
  return replay(network, placement, point.problem.element_bytes, source(point.plan, topology, point.problem)).seconds;
}

/// Without anybody else on the links.
double alone_s(Network network, const Placement& placement, const Point& point) {
  for (Link& link : network.links) link.sharing = Sharing::fatpipe;
  return replayed_s(network, placement, point);
}

/// Where messages reach a link at the same instant either may go first, and what follows may take another time. From
/// the least to the most of the replay on networks whose latencies differ by too little to matter otherwise.
std::pair<double, double> range_s(const Network& network, const Placement& placement, const Point& point) {
  std::mt19937_64 random;
  std::pair<double, double> range{INFINITY, 0};
  for (int trial = 0; trial < 50; ++trial) {
    Network shaken = network;
    for (Link& link : shaken.links) link.latency_s *= 1 + 1e-9 * static_cast<double>(random() % 1000);
    const double seconds = replayed_s(shaken, placement, point);
    range = {std::min(range.first, seconds), std::max(range.second, seconds)};
  }
  return range;
}

/// Within 1 % where no message waits for another on a link, 5 % where some do; or of the range that both may take.
void compare(int jobs, int points_a_job) {
  std::mt19937_64 random(20260914);
  int contended = 0, by_chance = 0;
  double worst_alone = 0, worst_contended = 0;
  for (int number = 0; number < jobs; ++number) {
    const char* name = platforms[number % std::size(platforms)];
    const Job job = random_job(name, points_a_job, random);
    const Simulated simulated = simulate(platform(name), job, 300);
    for (std::size_t i = 0; i < job.points.size(); ++i) {
      const Point& point = job.points[i];
      const double seconds = replayed_s(job.network, job.placement, point);
      const double simulated_s = simulated.points[i].repetitions[0].seconds;
      const bool contends = seconds > alone_s(job.network, job.placement, point) + rounding_s;
      const double tolerance = contends ? 0.05 : 0.01;
      double error = std::max(0.0, std::abs(seconds - simulated_s) - rounding_s) / std::max(simulated_s, 1e-9);
      contended += contends ? 1 : 0;
      if (contends && error > tolerance) {
        ++by_chance;
        const auto [least_s, most_s] = range_s(job.network, job.placement, point);
        error = std::max({0.0, least_s / simulated_s - 1, 1 - most_s / simulated_s});
      }
      double& worst = contends ? worst_contended : worst_alone;
      worst = std::max(worst, error);
      EXPECT_LE(error, tolerance) << fmt::format(
          "{}, {} ranks, {}/{}, {} elements of {} bytes{}, root {}{}: {} s replayed, {} s simulated", name,
          job.placement.size(), isthmus::name(point.problem.collective), to_string(point.plan), point.problem.count,
          point.problem.element_bytes, point.problem.counts.empty() ? "" : " (uneven blocks)", point.problem.root,
          contends ? ", contended" : "", seconds, simulated_s);
    }
  }
  fmt::print(
      "{} points, {} of them contended; at most {:.3g} % apart without, {:.3g} % with contention, {} of these more "
      "by who came first of two at one instant\n",
      jobs * points_a_job, contended, 100 * worst_alone, 100 * worst_contended, by_chance);
}

#ifdef ISTHMUS_SLOW
TEST(ReplayAndSimulation, AgreeOnTwoHundredRandomPoints) { compare(20, 12); }
#else
TEST(ReplayAndSimulation, AgreeOnADozenRandomPoints) { compare(4, 3); }
#endif

}  // namespace
}  // namespace isthmus
