// simulated_ping_pong PLATFORM.xml NETWORK.json OPTIONS...: the program of ping_pong.cpp under SMPI, a rank on each
// host that runs ranks, in the order of the network. NETWORK.json is what `isthmus platform PLATFORM.xml --format json`
// prints. Under SMPI ranks without a route cannot exchange messages: --through is needed.
#include <cstdio>
#include <simgrid/s4u.hpp>

// Included after SimGrid's C++ headers: SMPI's headers define macros that break them.
#include <smpi/smpi.h>

#include <string>
#include <vector>

#include "algorithms/network/network_json.hpp"
#include "sim/engine_arguments.hpp"
#include "sim/message_times.hpp"
#include "sim/smpi_settings.hpp"
#include "tests/forwarding/ping_pong.hpp"

int main(int argc, char** argv) {
  using namespace isthmus;
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s PLATFORM.xml NETWORK.json [options of ping_pong]\n", argv[0]);
    return 2;
  }
  const Network network = read_network(argv[2]);
  EngineArguments arguments("simulated_ping_pong", smpi_settings(network.transport));
  smpi_init_options();
  simgrid::s4u::Engine engine(&arguments.count(), arguments.values());
  engine.load_platform(argv[1]);
  SMPI_init();
  const RankTimes times = set_message_times(engine, network, Queueing::fifo);
  const Placement placement = place_ranks(network, PlacementRule::block, 1);
  SMPI_app_instance_register("ping-pong", nullptr, placement.size());
  std::vector<std::string> words(argv + 2, argv + argc);
  int failed = 0;
  int finished = 0;
  for (int rank = 0; rank < placement.size(); ++rank) {
    const std::string host = network.hosts[static_cast<std::size_t>(placement.host_of_rank[rank])].name;
    auto actor = simgrid::s4u::Actor::init("rank-" + std::to_string(rank), engine.host_by_name(host));
    actor->set_property("instance_id", "ping-pong");
    actor->set_property("rank", std::to_string(rank));
    actor->start([&] {
      MPI_Init(nullptr, nullptr);
      std::vector<std::string> own = words;
      std::vector<char*> pointers;
      for (std::string& word : own) pointers.push_back(word.data());
      failed += ping_pong(static_cast<int>(pointers.size()), pointers.data(), simgrid::s4u::Engine::get_clock);
      MPI_Finalize();
      ++finished;
    });
  }
  engine.run();
  return failed == 0 && finished == placement.size() ? 0 : 1;
}
