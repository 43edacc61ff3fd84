// Each rank waits for a message of the rank opposite to it, with which it has never exchanged one; nobody sends. Errors
// are returned and printed.
//
// Usage: unmet_peer [large|replace]: the call with a large count, where the MPI has it; or a send that nobody takes, of
// what the receive would replace: the copy that the MPI may still send has to stay.
#include <malloc.h>
#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/forwarding/world.hpp"

namespace {

// Whether the call has left behind as many bytes as it was to send.
bool replaces(int peer, int& code) {
  constexpr int bytes = 1 << 26;
  std::vector<char> data(bytes);
  const std::size_t before = mallinfo2().hblkhd;
  code = MPI_Sendrecv_replace(data.data(), bytes, MPI_CHAR, peer, 1, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return mallinfo2().hblkhd >= before + bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const auto [rank, ranks] = World(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    std::puts("all wait");
    std::fflush(stdout);
  }
  int value = 0;
  const int peer = ranks - 1 - rank;
  const std::string how = argc > 1 ? argv[1] : "";
  int code = MPI_SUCCESS;
  bool copy_stays = false;
  if (how == "replace") copy_stays = replaces(peer, code);
#if MPI_VERSION >= 4
  else if (how == "large")
    code = MPI_Recv_c(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  else
    code = MPI_Recv(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::printf("rank %d: %s%s\n", rank, text.data(), copy_stays ? "; its copy stays" : "");
  MPI_Finalize();
  return 0;
}
