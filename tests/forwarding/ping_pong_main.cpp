#include <mpi.h>

#include "tests/forwarding/ping_pong.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = ping_pong(argc, argv);
  MPI_Finalize();
  return status;
}
