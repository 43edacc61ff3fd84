// What it costs to start a collective and wait for it at once, against the blocking call, in plain MPI:
// start_and_wait [CALLS [BYTES]]. Prints the milliseconds of a call of each, of the slowest rank; exit status 1 when
// starting and waiting takes more than a tenth longer. All ranks need one clock, as on the hosts of one emulation.
#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

double now_s() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double greatest(double value) {
  double found = 0;
  PMPI_Allreduce(&value, &found, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return found;
}

// The median over calls that all ranks begin at an instant that they agree on: out of a barrier they come one by one.
template <typename Call>
double milliseconds(int calls, Call call) {
  std::vector<double> seconds;
  for (int i = 0; i < calls; ++i) {
    const double begin_s = greatest(now_s() + 0.1);
    const double left_s = std::max(0.0, begin_s - now_s());
    const timespec pause = {static_cast<time_t>(left_s), static_cast<long>(1e9 * (left_s - std::floor(left_s)))};
    nanosleep(&pause, nullptr);
    call();
    seconds.push_back(greatest(now_s()) - begin_s);
  }
  std::sort(seconds.begin(), seconds.end());
  return 1e3 * seconds[seconds.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? std::atoi(argv[1]) : 9;
  const int count = std::max(1, (argc > 2 ? std::atoi(argv[2]) : 8) / static_cast<int>(sizeof(double)));
  const std::vector<double> own(count, 1.0);
  std::vector<double> sum(count);
  const auto blocking = [&] { MPI_Allreduce(own.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); };
  const auto waited_for = [&] {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(own.data(), sum.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  };
  blocking();
  const double blocking_ms = milliseconds(calls, blocking);
  const double waited_ms = milliseconds(calls, waited_for);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    std::printf("allreduce of %d bytes: MPI_Allreduce %.2f ms, MPI_Iallreduce and MPI_Wait %.2f ms\n",
                count * static_cast<int>(sizeof(double)), blocking_ms, waited_ms);
  MPI_Finalize();
  return waited_ms <= 1.1 * blocking_ms ? 0 : 1;
}
