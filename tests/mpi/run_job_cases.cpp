// The job runner: what it reports, and that it notices wrong bytes.
#include <string>
#include <vector>

#include "algorithms/mpi/run_job.hpp"
#include "tests/mpi/cases.hpp"
#include "tests/mpi/test_clock.hpp"

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

void reports_every_point_in_order(World& world) {
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
      world.expect(repetition.late_s >= 0 && repetition.late_s <= repetition.seconds, "lateness");
    }
  });
  world.expect_equal(points, world.rank() == 0 ? 4 : 0, "points");
}

// Every receiver but the root puts the halves of the message the wrong way round.
void write_swapped(Program& program, const Call& call) {
  const std::int64_t half = call.problem.count / 2;
  if (call.rank == call.problem.root) {
    for (int peer = 0; peer < call.topology.size(); ++peer)
      if (peer != call.rank)
        for (const std::int64_t begin : {std::int64_t{0}, half}) program.send(output(begin, half), peer);
  } else {
    for (const std::int64_t begin : {half, std::int64_t{0}}) program.receive(output(begin, half), call.problem.root);
  }
}

void notices_bytes_in_the_wrong_place(World& world) {
  if (world.size() < 2) return;
  const Algorithm swapped{Collective::broadcast, "swapped", "", "", "", &write_swapped};
  Job job = job_for(world.size());
  job.points = {{{Collective::broadcast, 64, 1, 1}, {&swapped, {}}}, point("linear", 64, 1, 1)};
  run_job(job, world.comm(), test_clock(), [&](int number, const PointResult& result) {
    world.expect_equal(result.correct, number == 1, "whether point " + std::to_string(number) + " is correct");
  });
}

void refuses_a_job_for_another_number_of_ranks(World& world) {
  try {
    run_job(job_for(world.size() + 1), world.comm(), test_clock(), {});
    world.expect(false, "was run");
  } catch (const BadInput&) {
  }
}

}  // namespace

std::vector<Case> cases() {
  return {{"ReportsEveryPointInOrder", reports_every_point_in_order},
          {"NoticesBytesInTheWrongPlace", notices_bytes_in_the_wrong_place},
          {"RefusesAJobForAnotherNumberOfRanks", refuses_a_job_for_another_number_of_ranks}};
}

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
