// PROGRAM PLATFORM CLUSTERS RANKS: the executor takes the simulated time of plain MPI, to 1e-9 for broadcasts that are
// not pipelined and within 1 % for those that are. Prints both.
#include <smpi/smpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "tests/mpi/simulated_ranks.hpp"
#include "tests/reference/contest.hpp"

namespace {
namespace sg4 = simgrid::s4u;
using namespace isthmus;
using namespace isthmus::reference;

// From a common start to the last rank's end.
template <typename Work>
double seconds_of(Work work) {
  double start_s = 0;
  const double now_s = sg4::Engine::get_clock();
  MPI_Allreduce(&now_s, &start_s, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  start_s += 1;  // long after the last message of the agreement
  sg4::this_actor::sleep_until(start_s);
  work();
  const double own_s = sg4::Engine::get_clock() - start_s;
  double seconds = 0;
  MPI_Allreduce(&own_s, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

struct Outcome {
  int compared = 0;
  int wrong = 0;
  double worst = 0;            // relative, of those not pipelined
  double worst_pipelined = 0;  // relative
};

void contest_on_rank(int clusters, Outcome& outcome) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const std::vector<int> cluster_of_rank = equal_clusters(size, clusters);
  const Topology topology = topology_of(cluster_of_rank);
  std::vector<std::byte> buffer(1 << 22);
  for (const int bytes : {1, 1000, 65536, 100003, 1 << 20, 1 << 22})
    for (const int segment : {8192, 65536})
      for (const int root : {0, size / 2 + 1})
        for (const Contest& contest : contests(segment, cluster_of_rank)) {
          Executor executor = executor_of(contest, topology, bytes, root, comm);
          const double ours_s = seconds_of([&] { executor.run({.output = buffer.data()}); });
          const double by_hand_s = seconds_of([&] { contest.by_hand(buffer.data(), bytes, root, comm); });
          if (rank != 0) continue;
          const double apart = std::abs(ours_s / by_hand_s - 1);
          double& worst = contest.pipelined ? outcome.worst_pipelined : outcome.worst;
          worst = std::max(worst, apart);
          ++outcome.compared;
          if (apart > (contest.pipelined ? 0.01 : 1e-9)) {
            ++outcome.wrong;
            std::printf("%s, %d bytes, root %d: %.12f s by the executor, %.12f s by hand\n", contest.plan.c_str(),
                        bytes, root, ours_s, by_hand_s);
          }
        }
  MPI_Comm_free(&comm);
}
}  // namespace

int main(int argc, char** argv) {
  isthmus::test::SimulatedRanks simulated(argc, argv);
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s PLATFORM CLUSTERS RANKS\n", argv[0]);
    return 2;
  }
  const int clusters = std::atoi(argv[2]);
  Outcome outcome;
  const bool finished = simulated.run(argv[1], std::atoi(argv[3]), [&] { contest_on_rank(clusters, outcome); });
  std::printf("%d compared; apart at most %.3g, pipelined %.3g\n", outcome.compared, outcome.worst,
              outcome.worst_pipelined);
  return finished && outcome.compared > 0 && outcome.wrong == 0 ? 0 : 1;
}
