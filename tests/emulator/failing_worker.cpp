// Replaces the worker: rank 3 fails in a way that the count of the first point selects, while the others wait for it.
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algorithms/mpi/job/job.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::ifstream file(argv[1]);
  const isthmus::Job job = isthmus::job_from_json(nlohmann::json::parse(file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 3) {
    switch (job.points.front().problem.count) {
      case 1:
        raise(SIGKILL);
        break;
      case 2:
        _exit(5);
      case 3:
        raise(SIGSTOP);
        break;
      case 4:
        MPI_Abort(MPI_COMM_WORLD, 7);
        break;
      default:
        break;
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
