// All ranks send to the last one, which sleeps before it receives: many messages of each size, from any source, in
// order.
//
// Usage: sleeping_receiver SECONDS MESSAGES. Prints the number of messages that came.
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tests/forwarding/world.hpp"

int main(int argc, char** argv) {
  const auto [rank, ranks] = World(argc, argv);
  const int seconds = argc > 1 ? std::atoi(argv[1]) : 1;
  const int messages = argc > 2 ? std::atoi(argv[2]) : 100;
  constexpr int sizes[] = {1, 4, 4000, 16000, 100000};
  int wrong = 0;
  if (rank < ranks - 1) {
    std::vector<int> data(100000);
    for (int number = 0; number < messages; ++number) {
      data[0] = number;
      MPI_Send(data.data(), sizes[number % 5], MPI_INT, ranks - 1, rank, MPI_COMM_WORLD);
    }
  } else {
    sleep(static_cast<unsigned>(seconds));
    std::vector<int> data(100000);
    std::vector<int> next(static_cast<std::size_t>(ranks), 0);
    for (int came = 0; came < messages * (ranks - 1); ++came) {
      MPI_Status status;
      MPI_Recv(data.data(), 100000, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      int count = 0;
      MPI_Get_count(&status, MPI_INT, &count);
      int& expected = next[static_cast<std::size_t>(status.MPI_SOURCE)];
      wrong += data[0] != expected || count != sizes[expected % 5] || status.MPI_TAG != status.MPI_SOURCE;
      ++expected;
    }
    std::printf("%d messages, %d wrong\n", messages * (ranks - 1), wrong);
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
