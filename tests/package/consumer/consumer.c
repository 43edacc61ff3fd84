/* An MPI program of a user in C: a broadcast and an allreduce by isthmus.h. */
#include <isthmus.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank = 0, size = 0, sum = 0, message = 0, levels = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) message = 42;
  isthmus_broadcast(&message, 1, MPI_INT, 0, MPI_COMM_WORLD);
  isthmus_allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  isthmus_comm_levels(MPI_COMM_WORLD, &levels);
  if (rank == 0) printf("message %d, sum %d, levels %d\n", message, sum, levels);
  MPI_Finalize();
  return message == 42 && sum == size * (size - 1) / 2 && levels >= 1 ? 0 : 1;
}
