// A program that ignores SIGCHLD, so that its children leave no zombies: it has no status to wait for.
#include <mpi.h>
#include <signal.h>

#include <cstdio>

int main(int argc, char** argv) {
  signal(SIGCHLD, SIG_IGN);
  MPI_Init(&argc, &argv);
  int rank = 0;
  int sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d ranks have begun\n", sum);
  MPI_Finalize();
  return 0;
}
