// What it costs to start a collective and wait for it at once, against the blocking call, in plain MPI:
// start_and_wait [CALLS [BYTES]]. Prints the milliseconds of a call of each, of the slowest rank; exit status 1 when
// starting and waiting takes more than a tenth longer.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// The median over calls that all ranks begin together.
template <typename Call>
double milliseconds(int calls, Call call) {
  std::vector<double> seconds;
  for (int i = 0; i < calls; ++i) {
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    call();
    const double here = MPI_Wtime() - begin;
    double slowest = 0;
    PMPI_Allreduce(&here, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    seconds.push_back(slowest);
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
