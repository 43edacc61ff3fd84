// Replay and simulation of every collective, at random: platforms, plans, sizes, placements, roots.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "algorithms/catalog.hpp"
#include "algorithms/replay/replay.hpp"
#include "tests/smpi/simulating.hpp"
#include "tests/support/collective_sweep.hpp"

namespace isthmus {
namespace {

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
    const std::int64_t count = carries_data(algorithm.collective) ? (bytes + 3) / 4 : 0;
    Problem problem = one_of(tests::sweep_problems(algorithm.collective, topology.size(), count, 0), random);
    if (has_root(algorithm.collective)) problem.root = static_cast<int>(random() % topology.size());
    Plan plan{&algorithm, {}};
    if (takes(algorithm, "segment") && random() % 2 == 0) plan.parameters.segment_bytes = 4 << random() % 14;
    if (problem.count * 4 > 64 * plan.parameters.segment_bytes) plan.parameters.segment_bytes = 0;
    if (serves(plan, topology, problem)) return {problem, plan};
  }
}

double between(double least, double most, std::mt19937_64& random) {
  return std::uniform_real_distribution<double>(least, most)(random);
}

/// What messages cost: their links alone; processor overheads and reductions too; or measured classes. Others: what the
/// platform says.
constexpr const char* costs[] = {"links", "processors", "classes"};

/// Overheads of the processors, and computing.
void occupy_processors(Transport& transport, std::mt19937_64& random) {
  transport.send_overhead_s = between(1e-6, 30e-6, random);
  transport.send_overhead_s_per_byte = between(0, 1e-9, random);
  transport.receive_overhead_s = between(1e-6, 30e-6, random);
  transport.receive_overhead_s_per_byte = between(0, 2e-9, random);
  transport.reduction_s_per_byte = between(0, 2e-9, random);
}

/// Functions of the size that bend, and gaps that shrink with the number of destinations.
void measure_classes(Network& network, std::mt19937_64& random) {
  for (const bool wide_area : {false, true}) {
    double min_Bps = INFINITY;
    for (Link& link : network.links) {
      if ((link.latency_s >= 1e-3) != wide_area) continue;
      link.link_class = static_cast<int>(network.classes.size());
      min_Bps = std::min(min_Bps, link.bandwidth_Bps);
    }
    if (min_Bps == INFINITY) continue;
    const auto overhead = [&] { return SizeFunction::linear(between(0, 1e-6, random), between(0, 1e-9, random)); };
    const double min_factor = between(0.3, 0.5, random), max_Bps = min_Bps * min_factor;
    const double bend_s = 1e-6 + 2048 / max_Bps, slope = between(1, 2, random) / max_Bps;
    network.classes.push_back(
        {wide_area ? "wide area" : "local",
         SizeFunction({{0, 1e-6}, {1024, bend_s}, {1 << 20, bend_s + slope * ((1 << 20) - 1024)}}),
         overhead(),
         overhead(),
         {{1, 1.0}, {4, between(0.5, 1, random)}, {16, min_factor}}});
  }
}

/// Half of the time messages of these sizes wait for their receives, or for acknowledgements.
void limit_protocols(Transport& transport, std::mt19937_64& random) {
  constexpr std::int64_t limits[] = {0, 1, 100, 4096, 65536, 1 << 30};
  if (random() % 2 == 0) transport.eager_bytes = one_of(limits, random);
  if (random() % 2 == 0) transport.buffered_bytes = one_of(limits, random);
}

/// Some ranks on the hosts of a platform, up to three on each, and points for them.
Job random_job(const char* name, int points, std::mt19937_64& random) {
  Job job = job_on(name);
  const int most = job.placement.size();
  const PlacementRule rule = random() % 2 == 0 ? PlacementRule::block : PlacementRule::cyclic;
  const int ranks_per_host = std::max(1, static_cast<int>(random() % 5) - 1);
  job.placement = place_ranks(job.network, rule, ranks_per_host, most - static_cast<int>(random() % (most / 2)));
  limit_protocols(job.network.transport, random);
  const Topology topology = topology_of(job.network, job.placement);
  for (int point = 0; point < points; ++point) job.points.push_back(random_point(topology, random));
  return job;
}

double replayed_s(const Network& network, const Placement& placement, const Point& point) {
  const Topology topology = topology_of(network, placement);
  return replay({network, placement}, point.problem.element_bytes, source(point.plan, topology, point.problem)).seconds;
}

/// The seconds if no message waits for another on a link.
double alone_s(Network network, const Placement& placement, const Point& point) {
  for (Link& link : network.links) link.sharing = Sharing::fatpipe;
  return replayed_s(network, placement, point);
}

void set_costs(Network& network, std::string_view cost, std::mt19937_64& random) {
  if (cost == "links") network.transport.send_overhead_s = network.transport.receive_overhead_s = 0;
  if (cost == "processors") occupy_processors(network.transport, random);
  if (cost == "classes") measure_classes(network, random);
}

/// Replay against simulation: within 1 % if no message waits for another on a link, else within 5 %.
void compare(int jobs, int points_a_job, unsigned seed) {
  std::mt19937_64 random(seed);
  int contended = 0;
  double worst_alone = 0, worst_contended = 0;
  for (int number = 0; number < jobs; ++number) {
    const char* name = platforms[number % std::size(platforms)];
    Job job = random_job(name, points_a_job, random);
    const char* cost = costs[number / std::size(platforms) % std::size(costs)];
    set_costs(job.network, cost, random);
    const Simulated simulated = simulate(platform(name), job, 300);
    for (std::size_t i = 0; i < job.points.size(); ++i) {
      const Point& point = job.points[i];
      const double seconds = replayed_s(job.network, job.placement, point);
      const double simulated_s = simulated.points[i].repetitions[0].seconds;
      const bool contends = seconds > alone_s(job.network, job.placement, point) + rounding_s;
      const double error = std::max(0.0, std::abs(seconds - simulated_s) - rounding_s) / std::max(simulated_s, 1e-9);
      contended += contends ? 1 : 0;
      double& worst = contends ? worst_contended : worst_alone;
      worst = std::max(worst, error);
      EXPECT_LE(error, contends ? 0.05 : 0.01) << fmt::format(
          "{}, {} ranks on {}, {}, eager up to {}, buffered up to {}, {}/{}, {} elements of {} bytes{}, root {}{}: {} "
          "s "
          "replayed, {} s simulated",
          name, job.placement.size(), fmt::join(job.placement.host_of_rank, ","), cost,
          job.network.transport.eager_bytes, job.network.transport.buffered_bytes,
          isthmus::name(point.problem.collective), to_string(point.plan), point.problem.count,
          point.problem.element_bytes, point.problem.counts.empty() ? "" : " (uneven blocks)", point.problem.root,
          contends ? ", contended" : "", seconds, simulated_s);
    }
  }
  fmt::print("{} points, {} of them contended; at most {:.3g} % apart without, {:.3g} % with contention\n",
             jobs * points_a_job, contended, 100 * worst_alone, 100 * worst_contended);
}

#ifndef ISTHMUS_SLOW
/// Hard cases: segments awaited in another order than they arrive, synchronous sends awaited long after their receipt,
/// gaps that depend on which message leaves a link at the instant when the next arrives, messages that wait for their
/// receives while the receiver sends, several ranks on a host, lanes that wait for several messages or that one lane
/// makes ready together, and messages that arrive at the moment when the rank's processor is done with another or when
/// another arrives.
TEST(ReplayAndSimulation, AgreeToTheLastDigitOnWhoWaitsForWhom) {
  struct Case {
    const char *platform, *cost;
    Collective collective;
    const char* plan;
    std::int64_t count;
    int ranks_per_host = 1;
    std::int64_t eager_bytes = 4 << 20;
    int ranks = 0, root = 0;
  };
  constexpr Case cases[] = {
      {"samples/torus", "processors", Collective::scatter, "multilevel:segment=128", 200},
      {"samples/uneven", "processors", Collective::allgather, "multilevel:segment=8", 76},
      {"samples/asymmetric", "links", Collective::alltoall, "pairwise", 190000},
      {"samples/torus", "processors", Collective::broadcast, "magpie", 120000},
      {"samples/uneven", "classes", Collective::scatter, "linear", 4},
      {"samples/uneven", "links", Collective::allgather, "recursive-doubling", 655360},
      {"samples/torus", "classes", Collective::alltoall, "bruck", 20000},
      {"plain/five-sites", "given", Collective::broadcast, "chain:segment=5Ki", 20480, 1, 4096},
      {"plain/five-sites", "processors", Collective::broadcast, "chain:segment=5Ki", 20480, 1, 99},
      {"plain/five-sites", "given", Collective::allgather, "ring:segment=4Ki", 30000, 1, 1000},
      {"samples/uneven", "processors", Collective::allgather, "multilevel:segment=8", 76, 1, 7},
      {"samples/uneven", "processors", Collective::allreduce, "ring", 5000, 3, 1000},
      {"samples/uneven", "links", Collective::gather, "binomial:segment=8", 60, 3, 4 << 20, 14, 9},
      {"kielmann2000/das-4x4", "links", Collective::alltoall, "pairwise", 188, 3, 100, 12},
      {"samples/fat-tree", "given", Collective::gather, "linear:segment=4Ki", 65536, 2},
      {"samples/fat-tree", "given", Collective::reduce_scatter, "pairwise", 1, 2},
      {"plain/fast-wide-area", "given", Collective::allgather, "neighbour-exchange", 65536, 2},
      {"plain/fast-wide-area", "links", Collective::allgather, "neighbour-exchange", 65536, 2},
      {"plain/hosts-and-routers", "given", Collective::allgather, "neighbour-exchange", 65536, 2},
      {"plain/hosts-and-routers", "links", Collective::allgather, "neighbour-exchange", 65536, 2},
      {"aumage2003/sci-myrinet", "given", Collective::allreduce,
       "packed:segment=2560,packing=1.1.1^1.1.1:6675/1!.1.1^1!.1.1:3325,drivers=0.0.0,lag=41,slack=234", 65536},
      {"plain/star-of-sites", "given", Collective::allreduce,
       "packed:segment=16000,packing=0.0.0.0^0.0.0.0:7275/3.3.3.3^3.3.3.3:2725,lines=0>3:10120@4940", 65536},
      {"samples/torus", "given", Collective::allreduce, "packed:segment=512,packing=0.0^0.0:8954/1.1^1.1:1046", 18000},
      {"samples/dragonfly", "given", Collective::reduce, "packed:segment=256,packing=0.0:1,lag=301,slack=32", 11049, 2},
      {"samples/dragonfly", "given", Collective::allreduce,
       "packed:segment=256,packing=1!.1^1!.1:108/0.0^0.0:9892,lag=13,slack=30", 40000}};
  std::mt19937_64 random(20261121);
  for (const Case& one : cases) {
    Job job = job_on(one.platform);
    job.placement = place_ranks(job.network, PlacementRule::block, one.ranks_per_host, one.ranks);
    job.network.transport.eager_bytes = one.eager_bytes;
    set_costs(job.network, one.cost, random);
    const Problem problem{.collective = one.collective, .count = one.count, .root = one.root};
    job.points = {{problem, parse_plan(one.collective, one.plan)}};
    const double simulated_s = simulate(platform(one.platform), job, 300).points[0].repetitions[0].seconds;
    EXPECT_NEAR(replayed_s(job.network, job.placement, job.points[0]), simulated_s, rounding_s)
        << one.platform << ", " << one.cost << ", " << name(one.collective) << "/" << one.plan << ", "
        << one.ranks_per_host << " ranks a host, eager up to " << one.eager_bytes;
  }
}
#endif

#ifdef ISTHMUS_SLOW
TEST(ReplayAndSimulation, AgreeOnTwelveHundredRandomPoints) {
  for (unsigned seed = 20260914; seed < 20260919; ++seed) compare(24, 10, seed);
}
#else
TEST(ReplayAndSimulation, AgreeOnADozenRandomPoints) { compare(12, 1, 20260914); }
#endif

}  // namespace
}  // namespace isthmus
