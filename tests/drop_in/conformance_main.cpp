#include <algorithm>
#include <cstring>

#include "conformance.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Ranks ranks;
  MPI_Comm_dup(MPI_COMM_WORLD, &ranks.comm);
  MPI_Comm_set_errhandler(ranks.comm, MPI_ERRORS_RETURN);
  MPI_Comm_rank(ranks.comm, &ranks.rank);
  MPI_Comm_size(ranks.comm, &ranks.size);
  int failed_cases = 0;
  int run = 0;
  for (const ConformanceCase& each : conformance_cases()) {
    const bool asked = (argc < 2 && !each.named_alone) || std::any_of(argv + 1, argv + argc, [&](char* name) {
                         return std::strcmp(name, each.name) == 0;
                       });
    if (!asked) continue;
    ++run;
    ranks.failures = 0;
    each.run(ranks);
    int failures = 0;
    PMPI_Allreduce(&ranks.failures, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (failures > 0) ++failed_cases;
    if (ranks.rank == 0) std::printf("%s %s\n", failures == 0 ? "passed" : "FAILED", each.name);
    std::fflush(stdout);
  }
  if (ranks.rank == 0) std::printf("%d cases, %d failed\n", run, failed_cases);
  MPI_Comm_free(&ranks.comm);
  MPI_Finalize();
  return failed_cases == 0 && run > 0 ? 0 : 1;
}
