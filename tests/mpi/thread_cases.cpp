// Threads of one process that call collectives at the same time, each on its own communicators.
#include <cstdlib>
#include <thread>
#include <vector>

#include "isthmus.h"
#include "tests/mpi/cases.hpp"

namespace isthmus::test {
inline namespace ISTHMUS_MPI_FLAVOUR {
namespace {

// One machine has one group of ranks: without plans, everything would be left to the MPI.
const int asked = setenv("ISTHMUS_ALLREDUCE", "recursive-doubling", 1) + setenv("ISTHMUS_BROADCAST", "binomial", 1) +
                  setenv("ISTHMUS_ALLGATHER", "ring", 1);

// The failures that one thread finds: two calls in progress, a blocking one meanwhile.
int wrong_results(int thread, int rank, int size, MPI_Comm comm) {
  int wrong = 0;
  for (int round = 0; round < 100; ++round) {
    const std::vector<int> values(100 + round, rank + round + thread);
    std::vector<int> sums(values.size()), all(size);
    const int own = 10 * rank + thread;
    isthmus_request sum = ISTHMUS_REQUEST_NULL;
    isthmus_request gather = ISTHMUS_REQUEST_NULL;
    isthmus_iallreduce(values.data(), sums.data(), static_cast<int>(values.size()), MPI_INT, MPI_SUM, comm, &sum);
    isthmus_iallgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, comm, &gather);
    int message = rank == 0 ? round : -1;
    isthmus_broadcast(&message, 1, MPI_INT, 0, comm);
    isthmus_wait(&gather);
    for (int done = 0; done == 0;) isthmus_test(&sum, &done);
    wrong += message != round ? 1 : 0;
    for (const int each : sums) wrong += each != size * (round + thread) + size * (size - 1) / 2 ? 1 : 0;
    for (int from = 0; from < size; ++from) wrong += all[from] != 10 * from + thread ? 1 : 0;
  }
  return wrong;
}

MPI_CASE(ThreadsMayCallOnCommunicatorsOfTheirOwn) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  world.expect_equal(level, MPI_THREAD_MULTIPLE, "thread level");
  constexpr int threads = 3;
  std::vector<MPI_Comm> comms(threads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(world.comm(), &comm);
  std::vector<int> wrong(threads, -1);
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back(
        [&, thread] { wrong[thread] = wrong_results(thread, world.rank(), world.size(), comms[thread]); });
  for (std::thread& each : running) each.join();
  for (const int each : wrong) world.expect_equal(each, 0, "wrong results of a thread");
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

}  // namespace

}  // namespace ISTHMUS_MPI_FLAVOUR
}  // namespace isthmus::test
