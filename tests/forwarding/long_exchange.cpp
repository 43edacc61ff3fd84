// The first rank and the last one exchange messages for some seconds; errors are returned and printed.
//
// Usage: long_exchange BYTES SECONDS [wait|any]: blocking calls, or MPI_Irecv and MPI_Wait, or MPI_ANY_SOURCE.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/forwarding/world.hpp"

namespace {

int receive(std::vector<char>& data, int from, const std::string& how) {
  const int bytes = static_cast<int>(data.size());
  if (how != "wait")
    return MPI_Recv(data.data(), bytes, MPI_CHAR, how == "any" ? MPI_ANY_SOURCE : from, 1, MPI_COMM_WORLD,
                    MPI_STATUS_IGNORE);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(data.data(), bytes, MPI_CHAR, from, 1, MPI_COMM_WORLD, &request);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [rank, ranks] = World(argc, argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  std::vector<char> data(static_cast<std::size_t>(std::max(argc > 1 ? std::atoi(argv[1]) : 100000, 2)));
  const double seconds = argc > 2 ? std::atof(argv[2]) : 5;
  const std::string how = argc > 3 ? argv[3] : "";
  const double start_s = MPI_Wtime();
  int code = MPI_SUCCESS;
  long rounds = 0;
  bool wrong = false;
  double longest_s = 0;
  const bool first = rank == 0;
  if (first || rank == ranks - 1) {
    const int peer = ranks - 1 - rank;
    const int bytes = static_cast<int>(data.size());
    for (bool over = false; !over && !wrong; ++rounds) {
      const double begin_s = MPI_Wtime();
      if (first) {
        data[0] = begin_s - start_s > seconds ? 1 : 0;
        data[1] = static_cast<char>(rounds);
        code = MPI_Send(data.data(), bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        if (code != MPI_SUCCESS) break;
      }
      code = receive(data, peer, how);
      if (code != MPI_SUCCESS) break;
      over = data[0] == 1;
      wrong = data[1] != static_cast<char>(rounds + (first ? 1 : 0));
      ++data[1];
      if (!first) code = MPI_Send(data.data(), bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
      if (code != MPI_SUCCESS) break;
      if (first && rounds == 0) {
        std::puts("rank 0: first round done");
        std::fflush(stdout);
      }
      longest_s = std::max(longest_s, MPI_Wtime() - begin_s);
    }
    if (wrong) {
      std::printf("rank %d: wrong data after %ld rounds\n", rank, rounds);
    } else if (code != MPI_SUCCESS) {
      std::array<char, MPI_MAX_ERROR_STRING> text{};
      int length = 0;
      MPI_Error_string(code, text.data(), &length);
      std::printf("rank %d: %s\n", rank, text.data());
    } else {
      std::printf("rank %d: all rounds right, longest %.3f s\n", rank, longest_s);
    }
  }
  MPI_Finalize();
  return wrong ? 1 : 0;
}
