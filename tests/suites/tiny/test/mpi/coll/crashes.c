// Is ended by a signal where a library has been preloaded.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (getenv("LD_PRELOAD")) raise(SIGKILL);
  if (rank == 0) printf(" No Errors\n");
  MPI_Finalize();
  return 0;
}
