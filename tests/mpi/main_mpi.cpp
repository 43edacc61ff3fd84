// PROGRAM [CASE]: runs the cases on the ranks that mpirun started.
#include <cstdio>
#include <exception>

#include "tests/mpi/cases.hpp"

int main(int argc, char** argv) {
  // By the PMPI_ name: the library with isthmus.h contains the drop-in, and these cases compare with the MPI's own.
#ifdef ISTHMUS_TEST_THREADS
  int level = MPI_THREAD_SINGLE;
  PMPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#else
  PMPI_Init(&argc, &argv);
#endif
  int failed = 1;
  try {
    failed = isthmus::test::run_cases(argc > 1 ? argv[1] : "");
  } catch (const std::exception& error) {
    std::printf("threw %s\n", error.what());
    std::fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
