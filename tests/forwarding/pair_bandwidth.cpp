// Pairs of ranks send at the same time: pair_bandwidth BYTES MESSAGES FROM:TO...
// Prints the bytes of all pairs over the time from the first send to the last arrival (the ranks have one clock).
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

// MPI_Wtime() may begin with each process.
double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc < 4) return 2;
  const int bytes = std::atoi(argv[1]);
  const int messages = std::atoi(argv[2]);
  std::vector<std::pair<int, int>> pairs;
  for (int i = 3; i < argc; ++i) {
    std::pair<int, int> pair;
    if (std::sscanf(argv[i], "%d:%d", &pair.first, &pair.second) != 2) return 2;
    pairs.push_back(pair);
  }
  std::vector<char> data(static_cast<std::size_t>(bytes), 'a');
  double start_s = 1e300;
  double end_s = 0;
  for (const bool timed : {false, true}) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (const auto& [from, to] : pairs) {
      if (rank == from) {
        start_s = now_s();
        for (int i = 0; i < (timed ? messages : 1); ++i) MPI_Send(data.data(), bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
      } else if (rank == to) {
        for (int i = 0; i < (timed ? messages : 1); ++i)
          MPI_Recv(data.data(), bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        end_s = now_s();
      }
    }
  }
  double first_s = 0;
  double last_s = 0;
  MPI_Reduce(&start_s, &first_s, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&end_s, &last_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("%zu pairs, %d x %d B each: %.2f MB/s\n", pairs.size(), messages, bytes,
                static_cast<double>(pairs.size()) * messages * bytes / (last_s - first_s) / 1e6);
  MPI_Finalize();
  return 0;
}
