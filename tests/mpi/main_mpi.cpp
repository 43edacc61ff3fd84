// PROGRAM [CASE]: runs the cases on the ranks that mpirun started.
#include <cstdio>
#include <exception>

#include "tests/mpi/cases.hpp"

int main(int argc, char** argv) {
  // Past the drop-in, which is in the library with isthmus.h: MPI is the other MPI here.
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
