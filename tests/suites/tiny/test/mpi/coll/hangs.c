// Hangs where a library has been preloaded, and so does a process that it starts in a session of its own.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (getenv("LD_PRELOAD")) {
    if (fork() == 0) setsid();
    signal(SIGTERM, SIG_IGN);
    for (;;) pause();
  }
  if (rank == 0) printf(" No Errors\n");
  MPI_Finalize();
  return 0;
}
