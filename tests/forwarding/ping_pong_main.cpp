#include <mpi.h>

#include <chrono>

#include "tests/forwarding/ping_pong.hpp"

namespace {

// MPI_Wtime() may begin with each process.
double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = ping_pong(argc, argv, now_s);
  MPI_Finalize();
  return status;
}
