// PROGRAM PLATFORM RANKS [CASE]: runs the cases on SMPI's simulated ranks, round the platform's hosts.
#include <smpi/smpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <simgrid/s4u.hpp>
#include <string>

#include "tests/mpi/cases.hpp"

namespace {
namespace sg4 = simgrid::s4u;

void use_honest_settings() {
  sg4::Engine::set_config("network/model:CM02");
  sg4::Engine::set_config("network/TCP-gamma:1e18");
  sg4::Engine::set_config("network/crosstraffic:0");
  sg4::Engine::set_config("smpi/simulate-computation:no");
  sg4::Engine::set_config("smpi/host-speed:1Gf");
  sg4::Engine::set_config("smpi/wtime:0");
  sg4::Engine::set_config("smpi/async-small-thresh:4194304");
  sg4::Engine::set_config("smpi/send-is-detached-thresh:4194304");
}
}  // namespace

int main(int argc, char** argv) {
  smpi_init_options();
  sg4::Engine engine(&argc, argv);
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s PLATFORM RANKS [CASE]\n", argv[0]);
    return 2;
  }
  use_honest_settings();
  engine.load_platform(argv[1]);
  SMPI_init();
  const int ranks = std::atoi(argv[2]);
  const std::string filter = argc > 3 ? argv[3] : "";
  const auto hosts = engine.get_all_hosts();
  SMPI_app_instance_register("cases", nullptr, ranks);
  int finished = 0;  // a deadlock ends the simulation without an error
  int failed = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    auto actor = sg4::Actor::init("rank-" + std::to_string(rank), hosts[rank % hosts.size()]);
    actor->set_property("instance_id", "cases");
    actor->set_property("rank", std::to_string(rank));
    actor->start([&] {
      MPI_Init(nullptr, nullptr);
      try {
        failed += isthmus::test::run_cases(filter);
        ++finished;
      } catch (const std::exception& error) {
        std::printf("threw %s\n", error.what());
      }
      MPI_Finalize();
    });
  }
  engine.run();
  SMPI_finalize();
  if (finished != ranks) std::printf("%d of %d ranks did not finish\n", ranks - finished, ranks);
  return finished == ranks && failed == 0 ? 0 : 1;
}
