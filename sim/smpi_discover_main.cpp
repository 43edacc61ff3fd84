// isthmus-smpi-discover PLATFORM.xml: reads from the standard input where ranks are (a network, a placement, settings),
// lets SMPI's ranks discover their network, and prints it as a line of JSON. A bad request: one line on the standard
// error, exit status 2; a simulation that fails: 1.
#include <fmt/format.h>

#include <simgrid/s4u.hpp>

// After SimGrid's C++ headers: these use its macros, and SMPI's leak some of their own.
#include <smpi/smpi.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/models/network_json.hpp"
#include "algorithms/mpi/discover_ranks.hpp"
#include "sim/message_times.hpp"
#include "sim/smpi_settings.hpp"

namespace {

namespace s4u = simgrid::s4u;
using isthmus::BadInput;

// What SimGrid would do at exit takes long and can fail in the middle of a simulation.
[[noreturn]] void end(int status) {
  std::fflush(nullptr);
  _exit(status);
}

[[noreturn]] void end_with(const std::string& reason, int status) {
  fmt::print(stderr, "{}\n", reason);
  end(status);
}

void work(const isthmus::DiscoverySettings& settings, const isthmus::RankTimes& times) {
  MPI_Init(nullptr, nullptr);
  const isthmus::Hooks hooks{.now_s = [] { return s4u::Engine::get_clock(); }, .sleep_until = times.sleep_until};
  try {
    const isthmus::Network network = isthmus::discover_ranks(settings, MPI_COMM_WORLD, hooks);
    int rank = 0;
    isthmus::check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), {.call = "MPI_Comm_rank"});
    if (rank == 0) fmt::print("{}\n", to_json(network).dump(-1, ' ', true));
  } catch (const isthmus::Error& error) {
    end_with(error.what(), error.exit_status());
  } catch (const std::exception& error) {
    end_with(error.what(), 1);
  }
  MPI_Finalize();
}

void simulate(const std::string& file, const nlohmann::json& request) {
  const isthmus::Network network = isthmus::network_from_json(request.at("network"));
  const auto hosts = request.at("placement").get<std::vector<int>>();
  const auto settings = isthmus::discovery_settings_from_json(request.at("settings"));
  std::vector<std::string> words{"isthmus-smpi-discover", "--log=root.thres:critical"};
  for (const auto& [key, value] : isthmus::smpi_settings(network.transport)) {
    words.push_back(fmt::format("--cfg={}:{}", key, value));
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int count = static_cast<int>(words.size());

  smpi_init_options();  // or the engine knows no smpi/ keys
  s4u::Engine engine(&count, arguments.data());
  engine.load_platform(file);
  SMPI_init();
  const isthmus::RankTimes times = set_message_times(engine, network, isthmus::Queueing::fifo);
  SMPI_app_instance_register("isthmus", nullptr, static_cast<int>(hosts.size()));
  s4u::Engine::on_deadlock_cb([] { end_with("the simulation deadlocks", 1); });
  int finished = 0;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const std::string& name = network.hosts.at(hosts[rank]).name;
    s4u::Host* host = engine.host_by_name_or_null(name);
    if (host == nullptr)
      throw BadInput(fmt::format("{}: no host {}; the network must be of this platform", file, name));
    s4u::ActorPtr actor = s4u::Actor::init(fmt::format("rank-{}", rank), host);
    actor->set_property("instance_id", "isthmus");
    actor->set_property("rank", std::to_string(rank));
    actor->start([&] {
      work(settings, times);
      ++finished;
    });
  }
  engine.run();
  end(finished == static_cast<int>(hosts.size()) ? 0 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw BadInput("usage: isthmus-smpi-discover PLATFORM.xml < REQUEST.json");
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    simulate(argv[1], nlohmann::json::parse(text));
  } catch (const isthmus::Error& error) {
    end_with(error.what(), error.exit_status());
  } catch (const std::exception& error) {
    const std::string what = error.what();
    end_with(what.substr(0, what.find('\n')), 2);
  }
}
