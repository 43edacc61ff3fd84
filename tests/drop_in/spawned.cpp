// A program that starts others and calls collectives with them: spawned with|without, where the others run under what
// is preloaded, or not. Prints what is wrong; exit status 1 then.
#include <mpi.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

constexpr int children = 2;

// Collectives of the ranks of both programs, `parents` of which were there first.
int call_collectives(MPI_Comm both, int parents) {
  int rank = 0, size = 0;
  MPI_Comm_rank(both, &rank);
  MPI_Comm_size(both, &size);
  int wrong = size == parents + children ? 0 : 1;
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, both);
  wrong += sum == size * (size - 1) / 2 ? 0 : 1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_MAX, both, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  wrong += sum == size - 1 ? 0 : 1;
  MPI_Comm grid = MPI_COMM_NULL;
  const std::array<int, 2> sizes = {size / 2, 2}, periodic = {0, 0};
  MPI_Cart_create(both, 2, sizes.data(), periodic.data(), 1, &grid);
  int from_first = rank == 0 ? 7 : 0;
  MPI_Bcast(&from_first, 1, MPI_INT, 0, both);
  wrong += from_first == 7 ? 0 : 1;
  if (grid != MPI_COMM_NULL) {
    MPI_Barrier(grid);
    MPI_Comm_free(&grid);
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm between = MPI_COMM_NULL, both = MPI_COMM_NULL;
  MPI_Comm_get_parent(&between);
  const bool is_parent = between == MPI_COMM_NULL;
  if (is_parent) {
    const bool without = argc > 1 && std::string(argv[1]) == "without";
    std::string env = "env", unset = "-u", preload = "LD_PRELOAD", self = argv[0];
    std::array<char*, 4> arguments = {unset.data(), preload.data(), self.data(), nullptr};
    MPI_Comm_spawn(without ? env.data() : self.data(), without ? arguments.data() : MPI_ARGV_NULL, children,
                   MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
  }
  MPI_Intercomm_merge(between, is_parent ? 0 : 1, &both);
  int parents = 0;
  if (is_parent)
    MPI_Comm_size(MPI_COMM_WORLD, &parents);
  else
    MPI_Comm_remote_size(between, &parents);
  int wrong = call_collectives(both, parents), all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, both);
  MPI_Comm_free(&both);
  MPI_Comm_disconnect(&between);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (is_parent && rank == 0) std::printf("spawned: %d wrong\n", all);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
