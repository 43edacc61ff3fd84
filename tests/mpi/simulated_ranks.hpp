// A program of SMPI's simulated ranks, with settings that add no costs to those of the platform.
#pragma once

#include <smpi/smpi.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <simgrid/s4u.hpp>
#include <string>

namespace isthmus::test {

/// The engine of this program: there can be one. Takes SimGrid's own options out of the arguments.
class SimulatedRanks {
 public:
  SimulatedRanks(int& argc, char** argv) : engine_(with_smpi_options(argc), argv) {
    for (const char* setting : {"network/model:CM02", "network/TCP-gamma:1e18", "network/crosstraffic:0",
                                "smpi/simulate-computation:no", "smpi/host-speed:1Gf", "smpi/wtime:0",
                                "smpi/async-small-thresh:4194304", "smpi/send-is-detached-thresh:4194304"})
      simgrid::s4u::Engine::set_config(setting);
  }

  /// Runs `body` between MPI_Init and MPI_Finalize on every rank, rank after rank round the platform's hosts, which are
  /// in the order of their names. Returns whether all ranks finished: a deadlock ends a simulation without an error.
  bool run(const std::string& platform, int ranks, const std::function<void()>& body) {
    engine_.load_platform(platform);
    SMPI_init();
    const auto hosts = engine_.get_all_hosts();
    SMPI_app_instance_register("ranks", nullptr, ranks);
    int finished = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      auto actor = simgrid::s4u::Actor::init("rank-" + std::to_string(rank), hosts[rank % hosts.size()]);
      actor->set_property("instance_id", "ranks");
      actor->set_property("rank", std::to_string(rank));
      actor->start([&] {
        MPI_Init(nullptr, nullptr);
        try {
          body();
          ++finished;
        } catch (const std::exception& error) {
          std::printf("threw %s\n", error.what());
        }
        MPI_Finalize();
      });
    }
    engine_.run();
    SMPI_finalize();
    if (finished != ranks) std::printf("%d of %d ranks did not finish\n", ranks - finished, ranks);
    return finished == ranks;
  }

 private:
  // SMPI's options must be known before the engine reads its arguments.
  static int* with_smpi_options(int& argc) {
    smpi_init_options();
    return &argc;
  }

  simgrid::s4u::Engine engine_;
};

}  // namespace isthmus::test
