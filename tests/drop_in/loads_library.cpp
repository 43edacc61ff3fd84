// loads_library LIBRARY FUNCTION: calls a function of a library whose names nobody else sees. It counts failures.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  void* const library = argc > 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (library == nullptr) {
    std::printf("%s\n", argc > 2 ? dlerror() : "usage: loads_library LIBRARY FUNCTION");
    MPI_Abort(MPI_COMM_WORLD, 2);
    return 2;
  }
  int failures = 0;
  reinterpret_cast<void (*)(int*)>(dlsym(library, argv[2]))(&failures);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int all = 0;
  MPI_Reduce(&failures, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("failures: %d\n", all);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
