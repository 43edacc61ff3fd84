// isthmus-smpi-discover PLATFORM: simulated ranks discover their network with the settings of the request; prints
// the network as a line of JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "algorithms/mpi/discovery/discover_ranks.hpp"
#include "sim/measuring_main.hpp"

int main(int argc, char** argv) {
  isthmus::measuring_main(argc, argv, "isthmus-smpi-discover", [](const nlohmann::json& request) {
    auto settings = isthmus::discovery_settings_from_json(request.at("settings"));
    settings.common_clock = true;
    settings.datagrams = false;  // SMPI simulates messages alone
    return [settings](const isthmus::RankEnvironment& environment) {
      const isthmus::Discovered found =
          isthmus::discover_ranks(settings, MPI_COMM_WORLD, isthmus::Clock{environment.now_s, environment.sleep_until});
      int rank = 0;
      isthmus::check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), {.call = "MPI_Comm_rank"});
      if (rank == 0) fmt::print("{}\n", to_json(found).dump(-1, ' ', true));
    };
  });
}
