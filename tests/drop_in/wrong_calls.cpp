// wrong_calls different|absent: rank 2 calls another collective than the others, or none.
#include <mpi.h>

#include <cstring>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int own = rank;
  int result = 0;
  MPI_Allreduce(&own, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const bool different = argc > 1 && std::strcmp(argv[1], "different") == 0;
  if (rank != 2)
    MPI_Bcast(&own, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else if (different)
    MPI_Allreduce(&own, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  else
    MPI_Recv(&own, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // which nobody sends
  MPI_Finalize();
  return 0;
}
