// visitor STATUS: an MPI program without isthmus that prints what it finds on its host. Rank 0 counts its input. With
// STATUS `wait` all ranks wait for a message that nobody sends.
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void say_signal(int) {
  constexpr char text[] = "signalled\n";
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0) _exit(9);
}

bool can_write(const char* file) {
  std::FILE* const opened = std::fopen(file, "w");
  if (opened == nullptr) return false;
  std::fputs("visited\n", opened);
  return std::fclose(opened) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGUSR1, say_signal);
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  if (argc > 1 && std::strcmp(argv[1], "wait") == 0) {
    std::printf("waiting\n");
    std::fflush(stdout);
    MPI_Recv(&size, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 0) {
    long bytes = 0;
    while (std::getchar() != EOF) ++bytes;
    std::printf("read %ld bytes\n", bytes);
  }
  double slowest_s = 0;
  const double start_s = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  const double took_s = MPI_Wtime() - start_s;
  MPI_Reduce(&took_s, &slowest_s, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  std::printf("rank %d of %d on %s\n", rank, size, host);
  std::fprintf(stderr, "complaint of %d\n", rank);
  if (rank == 1) {
    std::printf("here %d, elsewhere %d, scratch %d\n", can_write("visited.txt") ? 1 : 0,
                can_write("/etc/isthmus-visited.txt") ? 1 : 0, can_write("/tmp/isthmus-visited.txt") ? 1 : 0);
  }
  MPI_Finalize();
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
