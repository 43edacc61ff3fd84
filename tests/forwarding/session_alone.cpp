// A program that never calls MPI_Init: it begins a session of MPI 4. Each rank sends its number to all others.
#include <mpi.h>

#include <cstdio>

int main() {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Comm_create_from_group(world, "all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int sum = rank;
  for (int step = 1; step < ranks; ++step) {
    int received = 0;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + step) % ranks, 1, &received, 1, MPI_INT, (rank + ranks - step) % ranks, 1,
                 comm, MPI_STATUS_IGNORE);
    sum += received;
  }
  int least = 0;
  MPI_Reduce(&sum, &least, 1, MPI_INT, MPI_MIN, 0, comm);
  if (rank == 0) std::printf("sum %d\n", least);
  MPI_Comm_free(&comm);
  MPI_Group_free(&world);
  MPI_Session_finalize(&session);
  return 0;
}
