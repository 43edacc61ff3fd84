// What a communicator costs that is used once, in plain MPI: duplicates [ROUNDS]. Each round duplicates MPI_COMM_WORLD,
// adds numbers up on the duplicate, and frees it. Prints the milliseconds of a round; exit status 1 for a wrong sum.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  int size = 0, rank = 0, wrong = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double begin_s = MPI_Wtime();
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    const int own = rank + round;
    int sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, duplicate);
    if (sum != size * (size - 1) / 2 + size * round) ++wrong;
    MPI_Comm_free(&duplicate);
  }
  const double round_ms = 1e3 * (MPI_Wtime() - begin_s) / rounds;
  if (rank == 0) std::printf("%d sums wrong; %.3f ms a round\n", wrong, round_ms);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
