// PROGRAM [ROUNDS]: what the executor costs on a real MPI, next to plain MPI. Short batches of calls, the contestants
// taking turns; before each call a barrier, or the root would run ahead and what is seen would be the flow control. A
// batch's time is that of its slowest rank. Medians are compared, and lower deciles, which other load on the machine
// disturbs less. For figures worth having run no more ranks than there are processors:
//   mpirun -n 2 --mca btl self,tcp --mca btl_tcp_if_include lo --mca mpi_yield_when_idle 1 executor_benchmark
// With more, the system's scheduling is most of what is seen.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "isthmus.h"
#include "tests/reference/contest.hpp"

namespace {
using namespace isthmus;
using namespace isthmus::reference;

template <typename Call>
double batch_seconds(int calls, Call call) {
  double own_s = 0;
  for (int i = 0; i < calls; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_s = MPI_Wtime();
    call();
    own_s += MPI_Wtime() - start_s;
  }
  double seconds = 0;
  MPI_Allreduce(&own_s, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds / calls;
}

struct Summary {
  double median, decile;  // microseconds
};

Summary summary(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {1e6 * seconds[seconds.size() / 2], 1e6 * seconds[seconds.size() / 10]};
}

// A communicator on which isthmus_broadcast() follows a plan.
MPI_Comm planned(const std::string& plan) {
  setenv("ISTHMUS_BROADCAST", plan.c_str(), 1);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int value = 0;
  isthmus_broadcast(&value, 1, MPI_INT, 0, comm);  // reads the setting
  unsetenv("ISTHMUS_BROADCAST");
  return comm;
}

void contest_of(const Contest& contest, const Topology& topology, int bytes, int rounds,
                std::vector<std::byte>& buffer) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm by_interface_comm = planned(contest.plan);
  Executor executor = executor_of(contest, topology, bytes, 0, comm);
  const auto by_executor = [&] { executor.run({.output = buffer.data()}); };
  const auto by_interface = [&] { isthmus_broadcast(buffer.data(), bytes, MPI_BYTE, 0, by_interface_comm); };
  const auto by_hand = [&] { contest.by_hand(buffer.data(), bytes, 0, comm); };

  const double guess_s = batch_seconds(5, by_hand);
  int calls = std::clamp(static_cast<int>(0.0005 / guess_s), 1, 100);
  MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<double> executor_s, interface_s, hand_s;
  for (int round = 0; round < rounds; ++round) {
    executor_s.push_back(batch_seconds(calls, by_executor));
    hand_s.push_back(batch_seconds(calls, by_hand));
    interface_s.push_back(batch_seconds(calls, by_interface));
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Summary hand = summary(hand_s);
  const Summary ours = summary(executor_s);
  const Summary c = summary(interface_s);
  if (rank == 0)
    std::printf("%-24s %8d | %9.2f %9.2f %7.3f %7.2f %7.3f | %9.2f %7.3f %7.2f %7.3f\n", contest.plan.c_str(), bytes,
                hand.median, ours.median, ours.median / hand.median, ours.median - hand.median,
                ours.decile / hand.decile, c.median, c.median / hand.median, c.median - hand.median,
                c.decile / hand.decile);
  MPI_Comm_free(&by_interface_comm);
  MPI_Comm_free(&comm);
}
}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 201;
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // One cluster on one machine is what isthmus_broadcast() finds out by itself, so that all three do the same.
  const std::vector<int> one_cluster(size, 0);
  const Topology topology = Topology::flat(size);
  std::vector<std::byte> buffer(1 << 22);
  if (rank == 0)
    std::printf(
        "%d ranks, %d batches of each; microseconds a call, medians; more: the difference; low: ratio of lower "
        "deciles\n"
        "%-24s %8s | %9s %9s %7s %7s %7s | %9s %7s %7s %7s\n",
        size, rounds, "plan", "bytes", "by hand", "executor", "ratio", "more", "low", "isthmus.h", "ratio", "more",
        "low");
  for (const int bytes : {8, 1024, 4096, 65536, 1 << 20, 1 << 22})
    for (const Contest& contest : contests(bytes < 65536 ? 1024 : 32768, one_cluster))
      contest_of(contest, topology, bytes, rounds, buffer);
  MPI_Finalize();
  return 0;
}
