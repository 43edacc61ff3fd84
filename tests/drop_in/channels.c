/* The communicators of channels: their number, sizes and the world's index on each rank, and an allreduce over each. */
#include <stdio.h>
#include <stdlib.h>

#include "isthmus.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int count = isthmus_channel_count();
  char text[400];
  int used = snprintf(text, sizeof text, "rank %d: %d channels, world %d, sizes", rank, count, isthmus_channel_world());
  int wrong = count < 1;
  for (int i = 0; i < count; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    int size = 0, of_rank = 0, sum = 0;
    if (isthmus_channel_comm(i, &comm) != MPI_SUCCESS) return 1;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &of_rank);
    used += snprintf(text + used, sizeof text - (size_t)used, " %d", size);
    const int mine = of_rank + 1;
    isthmus_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    wrong = wrong || sum != size * (size + 1) / 2;
  }
  printf("%s, sums %s\n", text, wrong ? "wrong" : "right");
  MPI_Comm none = MPI_COMM_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (isthmus_channel_comm(count, &none) == MPI_SUCCESS) wrong = 1;
  MPI_Finalize();
  return wrong;
}
