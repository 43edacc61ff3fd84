// inside_benchmark [SITES [REPETITIONS]]: calls of plans whose trees go down to every rank, and of the same ones with
// the MPI's own collectives inside the sites, in one run on ranks of one machine that count as so many sites (2).
// Prints the time of a call in microseconds, the shortest of the slowest rank in all repetitions (200), which
// alternate.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "isthmus.h"

namespace {

struct Row {
  const char* name;
  const char* variable;
  const char* trees;
  const char* mpi;
  std::function<void(std::vector<char>&, std::vector<char>&, int, MPI_Comm)> call;
};

/// Its settings are read when the first call is made on it.
MPI_Comm comm_with(const char* variable, const char* plan) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  setenv(variable, plan, 1);
  std::array<char, 1> none{};
  isthmus_broadcast(none.data(), 1, MPI_CHAR, 0, comm);
  unsetenv(variable);
  return comm;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int sites = argc > 1 ? std::atoi(argv[1]) : 2;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 200;
  setenv("ISTHMUS_HOST", ("site" + std::to_string(rank * sites / size) + "-0").c_str(), 1);
  const std::array<Row, 4> rows = {{
      {"broadcast", "ISTHMUS_BROADCAST", "multilevel:levels=linear/binomial", "multilevel:levels=linear/mpi",
       [](auto& in, auto&, int bytes, MPI_Comm comm) { isthmus_broadcast(in.data(), bytes, MPI_CHAR, 0, comm); }},
      {"reduce", "ISTHMUS_REDUCE", "multilevel:levels=linear/binomial", "multilevel:levels=linear/mpi",
       [](auto& in, auto& out, int bytes, MPI_Comm comm) {
         isthmus_reduce(in.data(), out.data(), bytes / 8, MPI_INT64_T, MPI_SUM, 0, comm);
       }},
      {"allreduce", "ISTHMUS_ALLREDUCE", "multilevel-exchange", "multilevel-exchange:inside=mpi",
       [](auto& in, auto& out, int bytes, MPI_Comm comm) {
         isthmus_allreduce(in.data(), out.data(), bytes / 8, MPI_INT64_T, MPI_SUM, comm);
       }},
      {"barrier", "ISTHMUS_BARRIER", "multilevel", "multilevel:inside=mpi",
       [](auto&, auto&, int, MPI_Comm comm) { isthmus_barrier(comm); }},
  }};
  if (rank == 0) std::printf("%d ranks, %d sites\ncollective bytes trees_us mpi_us ratio\n", size, sites);
  for (const Row& row : rows) {
    std::array<MPI_Comm, 2> comms = {comm_with(row.variable, row.trees), comm_with(row.variable, row.mpi)};
    for (const int bytes : {8, 1024, 16384, 262144}) {
      if (std::string(row.name) == "barrier" && bytes > 8) break;
      std::vector<char> in(bytes, 1), out(bytes);
      std::array<double, 2> least;
      least.fill(std::numeric_limits<double>::infinity());
      for (int repetition = -2; repetition < repetitions; ++repetition) {
        for (std::size_t which = 0; which < comms.size(); ++which) {
          MPI_Barrier(MPI_COMM_WORLD);
          const double begin = MPI_Wtime();
          row.call(in, out, bytes, comms[which]);
          const double seconds = MPI_Wtime() - begin;
          double slowest = 0;
          MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
          if (repetition >= 0) least[which] = std::min(least[which], slowest);
        }
      }
      if (rank == 0)
        std::printf("%s %d %.2f %.2f %.2f\n", row.name, bytes, least[0] * 1e6, least[1] * 1e6, least[0] / least[1]);
    }
    for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return 0;
}
