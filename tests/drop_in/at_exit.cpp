// at_exit handler|destructor: MPI is finalised when main() has returned, by an exit handler from before MPI_Init or by
// the destructor of a global. Both call collectives first.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void sum_of_ranks(MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int blocking = 0;
  int started = 0;
  MPI_Allreduce(&rank, &blocking, 1, MPI_INT, MPI_SUM, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&rank, &started, 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int right = size * (size - 1) / 2;
  if (blocking != right || started != right)
    std::printf("rank %d: %d and %d, not %d\n", rank, blocking, started, right);
}

void finalize() {
  sum_of_ranks(MPI_COMM_WORLD);
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  sum_of_ranks(duplicate);
  MPI_Barrier(duplicate);
  MPI_Comm_free(&duplicate);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Finalize();
  if (rank == 0) std::puts("finalised at exit");
}

struct Finalizer {
  bool wanted = false;
  ~Finalizer() {
    if (wanted) finalize();
  }
};
Finalizer finalizer;

}  // namespace

int main(int argc, char** argv) {
  finalizer.wanted = argc > 1 && std::strcmp(argv[1], "destructor") == 0;
  if (!finalizer.wanted) std::atexit(finalize);
  MPI_Init(&argc, &argv);
  sum_of_ranks(MPI_COMM_WORLD);
  return 0;
}
