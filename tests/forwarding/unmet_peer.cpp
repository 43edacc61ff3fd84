// Each rank waits for a message of the rank opposite to it, with which it has never exchanged one; nobody sends. Errors
// are returned and printed.
//
// Usage: unmet_peer [large]: the call with a large count, where the MPI has it.
#include <mpi.h>

#include <array>
#include <cstdio>

#include "tests/forwarding/world.hpp"

int main(int argc, char** argv) {
  const auto [rank, ranks] = World(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    std::puts("all wait");
    std::fflush(stdout);
  }
  int value = 0;
  const int peer = ranks - 1 - rank;
  int code = MPI_SUCCESS;
#if MPI_VERSION >= 4
  if (argc > 1)
    code = MPI_Recv_c(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
#endif
    code = MPI_Recv(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::printf("rank %d: %s\n", rank, text.data());
  MPI_Finalize();
  return 0;
}
