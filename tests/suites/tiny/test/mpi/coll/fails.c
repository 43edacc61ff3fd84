// Finds an error where a library has been preloaded.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf(getenv("LD_PRELOAD") ? " Found 3 errors\n" : " No Errors\n");
  MPI_Finalize();
  return 0;
}
