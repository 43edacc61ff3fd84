// PROGRAM [SECONDS]: the overhead of the executor on a real MPI against plain MPI. Calls of the two alternate, so that
// other load affects both; a barrier before each call keeps the root from running ahead, which would measure flow
// control. A call's time is that of its slowest rank. Medians are compared, and lower deciles, which other load
// disturbs less. Each contest takes about SECONDS. Run no more ranks than there are processors:
//   mpirun -n 2 --mca btl self,tcp --mca btl_tcp_if_include lo --mca mpi_yield_when_idle 1 executor_benchmark
// With more, the times are mostly those of the system's scheduling.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/reference/contest.hpp"
#include "tests/reference/summary.hpp"
#include "tests/reference/turns.hpp"

namespace {
using namespace isthmus;
using namespace isthmus::reference;

void contest_of(const Contest& contest, const Topology& topology, int bytes, double budget_s,
                std::vector<std::byte>& buffer) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Executor executor = executor_of(contest, topology, bytes, 0, comm);
  const auto by_executor = [&] { executor.run({.output = buffer.data()}); };
  const auto by_hand = [&] { contest.by_hand(buffer.data(), bytes, 0, comm); };

  const auto [executor_s, hand_s] = times_in_turns(by_executor, by_hand, budget_s, 5000);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Summary hand = summary(hand_s);
  const Summary ours = summary(executor_s);
  if (rank == 0)
    std::printf("%-24s %8d | %9.2f %9.2f %7.3f %7.2f %7.3f\n", contest.plan.c_str(), bytes, hand.median, ours.median,
                ours.median / hand.median, ours.median - hand.median, ours.decile / hand.decile);
  MPI_Comm_free(&comm);
}
}  // namespace

int main(int argc, char** argv) {
  const auto [budget_s, rank, size] = reference::start_of(argc, argv);
  const std::vector<int> one_cluster(size, 0);
  const Topology topology = Topology::flat(size);
  std::vector<std::byte> buffer(1 << 22);
  if (rank == 0)
    std::printf(
        "%d ranks; microseconds a call, medians; more: the difference; low: ratio of lower deciles\n"
        "%-24s %8s | %9s %9s %7s %7s %7s\n",
        size, "plan", "bytes", "by hand", "executor", "ratio", "more", "low");
  for (const int bytes : {8, 1024, 4096, 65536, 1 << 20, 1 << 22})
    for (const Contest& contest : contests(bytes < 65536 ? 1024 : 32768, one_cluster))
      contest_of(contest, topology, bytes, budget_s, buffer);
  MPI_Finalize();
  return 0;
}
