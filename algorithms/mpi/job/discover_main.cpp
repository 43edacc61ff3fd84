// isthmus-discover [SETTINGS]: finds the network between the hosts that mpirun started it on, and prints it on rank 0,
// as one line of JSON. SETTINGS are DiscoverySettings as JSON, as `isthmus discover` passes them.
#include <mpi.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "algorithms/errors.hpp"
#include "algorithms/json/json_text.hpp"
#include "algorithms/mpi/discovery/discover_ranks.hpp"
#include "algorithms/mpi/job/mpi_main.hpp"
#include "algorithms/mpi/job/run_job.hpp"

namespace {

isthmus::DiscoverySettings settings_from(const char* text) {
  return isthmus::discovery_settings_from_json(
      isthmus::parse_json(text, "SETTINGS", "settings in JSON would be right"));
}

constexpr double to_be_ended_s = 10;

void work(const isthmus::DiscoverySettings& settings) {
  const isthmus::RankEnvironment own = isthmus::real_time();
  const isthmus::Clock clock{own.now_s, own.sleep_until};
  const isthmus::Discovered found = isthmus::discover_ranks(settings, MPI_COMM_WORLD, clock);
  int rank = 0;
  isthmus::check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), {.call = "MPI_Comm_rank"});
  if (rank != 0) return;
  std::cout << to_json(found).dump(-1, ' ', true) << std::endl;
  if (found.silent.empty()) return;
  // MPI_Finalize would wait for those that do not answer. `isthmus discover` ends the job when it has the network.
  own.sleep_until(own.now_s() + to_be_ended_s);
  MPI_Abort(MPI_COMM_WORLD, 0);
}

}  // namespace

int main(int argc, char** argv) {
  return isthmus::mpi_main(argc, argv, "isthmus-discover", [&] {
    if (argc > 2) throw isthmus::BadInput("usage: isthmus-discover [SETTINGS (JSON)]");
    work(argc == 2 ? settings_from(argv[1]) : isthmus::DiscoverySettings{});
  });
}
