// The job runner: what it reports, that every algorithm of every collective gives the bytes that it must, and that
// wrong ones are noticed.
#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/catalog.hpp"
#include "algorithms/mpi/job/run_job.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/test_clock.hpp"
#include "tests/support/collective_sweep.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// A rank a host, all hosts on one link.
Job job_for(int ranks) {
  Job job;
  job.network.links.push_back({"lan", 50e6, 10e-6, Sharing::shared});
  job.network.trunks[{0, 0}] = {{0}};
  for (int rank = 0; rank < ranks; ++rank) {
    Host host;
    host.name = "host-" + std::to_string(rank);
    job.network.hosts.push_back(host);
    job.placement.host_of_rank.push_back(rank);
  }
  return job;
}

Point point(std::string_view plan, std::int64_t count, std::int64_t element_bytes, int root) {
  return {{Collective::broadcast, count, element_bytes, root}, parse_plan(Collective::broadcast, plan)};
}

MPI_CASE(ReportsEveryPointInOrder) {
  Job job = job_for(world.size());
  job.points = {point("binomial", 1000, 8, 0), point("chain:segment=16", 100, 4, world.size() - 1),
                point("kielmann", 0, 1, 0), point("magpie", 100003, 1, world.size() / 2)};
  job.repetitions = 3;
  job.warm_up = 2;
  int points = 0;
  run_job(job, world.comm(), test_clock(), [&](int number, const PointResult& result) {
    world.expect_equal(world.rank(), 0, "rank of the sink");
    world.expect_equal(number, points++, "number of the point");
    world.expect(result.correct, "bytes of point " + std::to_string(number));
    world.expect_equal(result.repetitions.size(), std::size_t{3}, "repetitions");
    for (const Repetition& repetition : result.repetitions) {
      world.expect_equal(repetition.rank_end_s.size(), static_cast<std::size_t>(world.size()), "ranks");
      double last = 0;
      for (const double end_s : repetition.rank_end_s) last = std::max(last, end_s);
      world.expect_equal(repetition.seconds, last, "seconds");
      world.expect_equal(repetition.rank_start_s.size(), static_cast<std::size_t>(world.size()), "starts");
      world.expect(repetition.late_s() >= 0 && repetition.late_s() <= repetition.seconds, "lateness");
    }
  });
  world.expect_equal(points, world.rank() == 0 ? 4 : 0, "points");
}

// No common start: these cases check results, not times.
RankEnvironment no_clock() {
  return {.now_s = [] { return 0.0; }, .sleep_until = [](double) {}, .timing = {.start_margin_s = 0}};
}

std::string described(const Point& point) {
  return std::string(name(point.problem.collective)) + "/" + to_string(point.plan) + ", " +
         std::to_string(point.problem.count) + " elements of " + std::to_string(point.problem.element_bytes) +
         " bytes, root " + std::to_string(point.problem.root) +
         (point.problem.counts.empty() ? "" : ", uneven blocks") +
         (point.problem.commutative ? "" : ", operands in order");
}

// Every algorithm with and without segments, equal and uneven blocks, operators that commute and that do not; roots and
// sizes of elements go round. What an algorithm does not serve is left out.
std::vector<Point> points_of_the_catalogue(const Topology& topology) {
  std::vector<Point> points;
  for (const Algorithm& algorithm : algorithms()) {
    const bool segmented = takes(algorithm, "segment");
    for (const std::int64_t count : {0, 1, 13}) {
      for (Problem problem : tests::sweep_problems(algorithm.collective, topology.size(), count, 0)) {
        if (!carries_data(algorithm.collective) && count > 0) continue;
        const int turn = static_cast<int>(points.size());
        if (has_root(algorithm.collective)) problem.root = turn % topology.size();
        problem.element_bytes = std::vector<int>{8, 1, 4, 3, 2}[turn % 5];
        Plan plan{&algorithm, {}};
        if (!serves(plan, topology, problem)) continue;
        points.push_back({problem, plan});
        plan.parameters.segment_bytes = 4 * problem.element_bytes;
        if (segmented && count > 4) points.push_back({problem, plan});
      }
    }
  }
  return points;
}

// The sites of the ranks: one rank, a few, the rest in machines of three; or round-robin.
Job job_over_sites(int ranks, bool in_turn) {
  Job job = job_for(ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<ZoneStep> zones = {{"site", in_turn             ? std::to_string(rank % 3)
                                            : rank == 0         ? "a"
                                            : rank <= ranks / 3 ? "b"
                                                                : "c"}};
    if (zones[0].name == "c") zones.push_back({"machine", std::to_string(rank / 3)});
    job.network.hosts[rank].zones = std::move(zones);
  }
  return job;
}

MPI_CASE(EveryAlgorithmGivesTheBytesOfItsCollective) {
  for (const bool in_turn : {false, true}) {
    Job job = job_over_sites(world.size(), in_turn);
    job.points = points_of_the_catalogue(topology_of(job.network, job.placement));
    run_job(job, world.comm(), no_clock(), [&](int number, const PointResult& result) {
      world.expect(result.correct, described(job.points[number]));
    });
  }
}

// In an Open MPI, by each of its selectors; one that cannot serve the communicator leaves it to the next.
MPI_CASE(TheMpisOwnCollectivesPassTheSameCheck) {
#ifdef OPEN_MPI
  const std::vector<const char*> plans = {"mpi", "mpi:selector=tuned", "mpi:selector=han"};
#else
  const std::vector<const char*> plans = {"mpi"};
#endif
  Job job = job_for(world.size());
  for (const Collective collective : collectives()) {
    for (const char* plan : plans)
      for (const std::int64_t count : {0, 13}) {
        if (!carries_data(collective) && count > 0) continue;
        for (Problem problem : tests::sweep_problems(collective, world.size(), count, 0)) {
#ifndef OPEN_MPI
          // SMPI's scans do not keep the order of operands.
          if (!problem.commutative && (collective == Collective::scan || collective == Collective::exscan)) continue;
#endif
          const int turn = static_cast<int>(job.points.size());
          if (has_root(collective)) problem.root = turn % world.size();
          problem.element_bytes = std::vector<int>{8, 1, 4, 3, 2}[turn % 5];
          job.points.push_back({problem, parse_plan(collective, plan)});
        }
      }
  }
  run_job(job, world.comm(), no_clock(),
          [&](int number, const PointResult& result) { world.expect(result.correct, described(job.points[number])); });
}

// Faults, injected into the programs of the first algorithm of a collective, on all ranks.
void write_right(Program& program, const Call& call) {
  algorithms_of(call.problem.collective).front()->write(program, call);
}

void swap_first_elements(Program& program, const Call& call) {
  write_right(program, call);
  if (buffer_counts(call.problem, call.topology.size(), call.rank).output < 2) return;
  const Slice aside = program.reserve(1);
  program.copy(aside, output(0, 1));
  program.copy(output(0, 1), output(1, 1));
  program.copy(output(1, 1), aside);
}

void leave_an_element_of_output(Program& program, const Call& call) {
  write_right(program, call);
  const Slice aside = program.reserve(call.problem.count * call.topology.size());
  const auto ops = std::span(program.mutable_ops());
  const auto last = std::find_if(
      ops.rbegin(), ops.rend(), [](const Op& op) { return op.kind != OpKind::send && op.to.buffer == Buffer::output; });
  if (last != ops.rend()) last->to = aside.part(0, last->to.count);
}

void leave_an_operand_out(Program& program, const Call& call) {
  write_right(program, call);
  for (Op& op : program.mutable_ops())
    if (op.kind == OpKind::reduce) op = {OpKind::copy, op.lane, -1, op.to, op.right, {}};
}

void turn_operands_round(Program& program, const Call& call) {
  write_right(program, call);
  for (Op& op : program.mutable_ops())
    if (op.kind == OpKind::reduce) std::swap(op.from, op.right);
}

void overwrite_the_input(Program& program, const Call& call) {
  write_right(program, call);
  if (buffer_counts(call.problem, call.topology.size(), call.rank).input > 1) program.copy(input(0, 1), input(1, 1));
}

MPI_CASE(NoticesPlantedFaults) {
  if (world.size() < 3) return;
  Job job = job_for(world.size());
  std::vector<Algorithm> faulty;
  faulty.reserve(200);
  const auto plant = [&](Collective collective, const char* fault, void (*write)(Program&, const Call&),
                         bool commutative = true) {
    faulty.push_back({collective, fault, "", "", "", write});
    job.points.push_back({{.collective = collective,
                           .count = carries_data(collective) ? 4 : 0,
                           .element_bytes = 8,
                           .commutative = commutative},
                          {&faulty.back(), {}}});
  };
  for (const Algorithm& algorithm : algorithms()) {
    const Collective collective = algorithm.collective;
    if (&algorithm != algorithms_of(collective).front()) continue;
    plant(collective, "none", write_right);
    if (has_operator(collective)) plant(collective, "turned-round", turn_operands_round, false);
    if (has_operator(collective) || !carries_data(collective)) plant(collective, "left-out", leave_an_operand_out);
    if (!carries_data(collective)) continue;
    plant(collective, "swapped", swap_first_elements);
    plant(collective, "elsewhere", leave_an_element_of_output);
    if (collective != Collective::broadcast) plant(collective, "overwritten", overwrite_the_input);
  }
  run_job(job, world.comm(), no_clock(), [&](int number, const PointResult& result) {
    const Point& point = job.points[number];
    world.expect_equal(result.correct, point.plan.algorithm->id == "none",
                       "whether it is correct: " + described(point));
  });
}

MPI_CASE(RefusesAJobForAnotherNumberOfRanks) {
  try {
    run_job(job_for(world.size() + 1), world.comm(), test_clock(), {});
    world.expect(false, "was run");
  } catch (const BadInput&) {
  }
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
