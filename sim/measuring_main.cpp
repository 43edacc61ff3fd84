#include "sim/measuring_main.hpp"

#include <fmt/format.h>

#include <simgrid/s4u.hpp>

// Included after SimGrid's C++ headers: SMPI's headers define macros that break them.
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
#include "algorithms/network/network_json.hpp"
#include "sim/engine_arguments.hpp"
#include "sim/load_platform.hpp"
#include "sim/message_times.hpp"
#include "sim/smpi_settings.hpp"

namespace isthmus {
namespace {

namespace s4u = simgrid::s4u;

// SimGrid's own exit takes long and can fail in the middle of a simulation.
[[noreturn]] void end(int status) {
  std::fflush(nullptr);
  _exit(status);
}

[[noreturn]] void end_with(const std::string& reason, int status) {
  fmt::print(stderr, "{}\n", reason);
  end(status);
}

void run_rank(const RankTask& measure, const RankTimes& times) {
  MPI_Init(nullptr, nullptr);
  const RankEnvironment environment{.now_s = [] { return s4u::Engine::get_clock(); }, .sleep_until = times.sleep_until};
  try {
    measure(environment);
  } catch (const Error& error) {
    end_with(error.what(), error.exit_status());
  } catch (const std::exception& error) {
    end_with(error.what(), 1);
  }
  MPI_Finalize();
}

[[noreturn]] void simulate(const char* program, const std::string& file, const nlohmann::json& request,
                           const RankTask& measure) {
  const Network network = network_from_json(request.at("network"));
  const auto hosts = request.at("placement").get<std::vector<int>>();
  EngineArguments arguments(program, smpi_settings(network.transport));

  smpi_init_options();  // registers the smpi/ keys of the engine
  s4u::Engine engine(&arguments.count(), arguments.values());
  load_platform(engine, file, network);
  SMPI_init();
  const RankTimes times = set_message_times(engine, network, Queueing::fifo);
  SMPI_app_instance_register("isthmus", nullptr, static_cast<int>(hosts.size()));
  s4u::Engine::on_deadlock_cb([] { end_with("the simulation deadlocks", 1); });
  int finished = 0;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const std::string name = network.hosts.at(hosts[rank]).name;
    s4u::Host* host = engine.host_by_name_or_null(name);
    if (host == nullptr)
      throw BadInput(fmt::format("{}: no host {}; the network must be of this platform", file, name));
    s4u::ActorPtr actor = s4u::Actor::init(fmt::format("rank-{}", rank), host);
    actor->set_property("instance_id", "isthmus");
    actor->set_property("rank", std::to_string(rank));
    actor->start([&] {
      run_rank(measure, times);
      ++finished;
    });
  }
  engine.run();
  end(finished == static_cast<int>(hosts.size()) ? 0 : 1);
}

}  // namespace

void measuring_main(int argc, char** argv, const char* program,
                    const std::function<RankTask(const nlohmann::json& request)>& prepare) {
  try {
    if (argc != 2) throw BadInput(fmt::format("usage: {} PLATFORM < REQUEST.json", program));
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto request = nlohmann::json::parse(text);
    simulate(program, argv[1], request, prepare(request));
  } catch (const Error& error) {
    end_with(error.what(), error.exit_status());
  } catch (const std::exception& error) {
    const std::string what = error.what();
    end_with(what.substr(0, what.find('\n')), 2);
  }
}

}  // namespace isthmus
