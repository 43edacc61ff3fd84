// isthmus-smpi PLATFORM fifo|fluid: reads a job with its `conditions` from the standard input, simulates each point
// in a forked process, and prints one JSON line per point: its number with its result, or with the reason why there is
// none (`refused`). The first line holds the settings (`provenance`). A bad request: one line on the standard error,
// exit status 2.
#include <fmt/format.h>

#include <simgrid/s4u.hpp>

// Included after SimGrid's C++ headers: SMPI's headers define macros that break them.
#include <fcntl.h>
#include <simgrid/version.h>
#include <smpi/smpi.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/errors.hpp"
#include "algorithms/mpi/job/run_job.hpp"
#include "algorithms/network/conditions_json.hpp"
#include "algorithms/network/forwarded_routes.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/replay/ticks.hpp"
#include "sim/engine_arguments.hpp"
#include "sim/load_platform.hpp"
#include "sim/message_times.hpp"
#include "sim/simulate.hpp"
#include "sim/smpi_settings.hpp"

// SMPI reads its selector at start and when this function is called. It is in the library, but in no header.
namespace simgrid::smpi::colls {
void set_collectives();
}

namespace {

namespace s4u = simgrid::s4u;
using isthmus::BadInput;
using isthmus::Job;
using isthmus::Queueing;
using nlohmann::json;

// Settings of all points.
struct Setting {
  Queueing queueing;
  isthmus::Conditions conditions;
};

std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

// Called after communicators have been duplicated: some of the broadcasts that SMPI selects fail in a duplication.
void select_collectives(const std::string& selector) {
  s4u::Engine::set_config("smpi/coll-selector:" + (selector.empty() ? "default" : selector));
  simgrid::smpi::colls::set_collectives();
}

// The engine's links get the figures of the job's network where these differ from the platform's.
void use_links_of(const isthmus::Network& network) {
  for (const isthmus::Link& link : network.links) {
    s4u::Link* of_engine = s4u::Link::by_name_or_null(link.name);
    if (of_engine == nullptr) continue;
    if (of_engine->get_bandwidth() != link.bandwidth_Bps) of_engine->set_bandwidth(link.bandwidth_Bps);
    if (of_engine->get_latency() != link.latency_s) of_engine->set_latency(link.latency_s);
  }
}

// One point, in a process of its own: an engine runs once.
class PointSimulation {
 public:
  PointSimulation(s4u::Engine& engine, const Job& job, const Setting& setting, int point, int results)
      : engine_(engine), job_(job), setting_(setting), results_(results) {
    number_ = point;
    job_.points = {job.points[point]};
    host_of_rank_ = isthmus::with_forwarders(job.network, job.placement).host_of_rank;
  }

  [[noreturn]] void run() {
    const int size = static_cast<int>(host_of_rank_.size());
    const auto unarrived = [this] {
      end_with("a message never arrives: " +
               cut_links(job_.network, setting_.conditions, std::numeric_limits<double>::max()));
    };
    times_ = set_message_times(engine_, job_.network, setting_.queueing, {setting_.conditions, unarrived});
    SMPI_app_instance_register("isthmus", nullptr, size);
    s4u::Engine::on_deadlock_cb([this] { end_with("it deadlocks: every rank waits for another"); });
    for (int rank = 0; rank < size; ++rank) {
      s4u::Host* host = engine_.host_by_name(job_.network.hosts[host_of_rank_[rank]].name);
      s4u::ActorPtr actor = s4u::Actor::init("rank-" + std::to_string(rank), host);
      actor->set_property("instance_id", "isthmus");
      actor->set_property("rank", std::to_string(rank));
      actor->start([this, rank] { run_rank(rank); });
    }
    engine_.run();
    end_with("a rank ended it with MPI_Abort");
  }

 private:
  void run_rank(int rank) {
    MPI_Init(nullptr, nullptr);
    // A long pause in simulated time costs nothing, unless there is ambient traffic.
    const bool empty = setting_.conditions.traffic.empty();
    const isthmus::RankEnvironment environment{
        .now_s = [] { return s4u::Engine::get_clock(); },
        .sleep_until = times_.sleep_until,
        .reduced = times_.reduce,
        .acknowledged =
            [this, rank](int peer, int lane) {
              times_.await_acknowledgement({rank, peer, lane}, way_back_s(rank, peer));
            },
        .sending =
            [this, rank](int peer, int lane, bool synchronous) {
              times_.sending({rank, peer, lane}, synchronous);
            },
        .posting =
            [this, rank](int peer, int lane, std::int64_t number) {
              times_.posting({peer, rank, lane}, number);
            },
        .received =
            [this, rank](int peer, int lane, std::int64_t number) {
              times_.take_in({peer, rank, lane}, number);
            },
        .has_come =
            [this, rank](int peer, int lane, std::int64_t number) {
              return times_.has_come({peer, rank, lane}, number);
            },
        .select = select_collectives,
        .announced = times_.start_at,
        .timing = {.quiet_s = empty ? 1e4 : 0, .start_margin_s = empty ? 1 : 1e-3}};
    try {
      isthmus::run_job(job_, MPI_COMM_WORLD, environment,
                       [this](int, const isthmus::PointResult& result) { result_ = to_json(result); });
    } catch (const std::exception& error) {
      end_with(error.what());
    }
    MPI_Finalize();
    if (++finished_ < static_cast<int>(host_of_rank_.size())) return;
    if (result_.is_null()) end_with("no result came");
    result_["point"] = number_;
    end(result_);
  }

  double way_back_s(int rank, int peer) const {
    double latency_s = 0;
    for (const int link : job_.network.route(host_of_rank_[peer], host_of_rank_[rank]).links) {
      latency_s += isthmus::in_ticks(job_.network.links[link].latency_s);
    }
    return latency_s;
  }

  [[noreturn]] void end_with(const std::string& reason) { end({{"point", number_}, {"refused", reason}}); }

  // Ends without cleaning up: SimGrid's own exit takes long and can fail in the middle of a simulation.
  [[noreturn]] void end(const json& line) const {
    const std::string text = text_of(line);
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t more = write(results_, text.data() + sent, text.size() - sent);
      if (more <= 0) _exit(1);
      sent += static_cast<std::size_t>(more);
    }
    _exit(0);
  }

  s4u::Engine& engine_;
  isthmus::RankTimes times_;
  Job job_;
  std::vector<int> host_of_rank_;  // with the forwarders, which are ranks here
  const Setting& setting_;
  int number_;
  int results_;
  int finished_ = 0;
  json result_;
};

/// The copies of messages on their way are in no estimate: where they take all memory, Linux ends this process and no
/// other.
void be_ended_first_without_memory() {
  constexpr std::string_view most = "1000";
  const isthmus::Descriptor file(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file.get() >= 0 && write(file.get(), most.data(), most.size()) < 0) return;  // a sandbox may forbid it
}

json simulate_point(s4u::Engine& engine, const Job& job, const Setting& setting, int point) {
  auto [answer, to_parent] = isthmus::make_pipe();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw isthmus::Missing(fmt::format("fork: {}; more memory or processes would be right", std::strerror(errno)));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    be_ended_first_without_memory();
    answer.close();
    PointSimulation(engine, job, setting, point, to_parent.get()).run();
  }
  to_parent.close();
  const std::string text = isthmus::read_text(answer);
  const int status = isthmus::wait_for(child);
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return {{"point", point},
            {"refused",
             fmt::format("its process was killed by signal {} ({}){}", signal, strsignal(signal),
                         signal == SIGKILL ? ", as Linux does when there is no memory left; fewer bytes or ranks, or "
                                             "`predict`, which has no data, would be right"
                                           : "")}};
  }
  if (status != 0 || text.empty()) {
    return {{"point", point}, {"refused", fmt::format("its process ended with status {}", WEXITSTATUS(status))}};
  }
  return json::parse(text);
}

void simulate(const std::string& file, const Setting& setting, const Job& job) {
  const isthmus::SmpiSettings chosen = isthmus::smpi_settings(job.network.transport);
  isthmus::EngineArguments arguments("isthmus-smpi", chosen);

  smpi_init_options();  // registers the smpi/ keys of the engine
  s4u::Engine engine(&arguments.count(), arguments.values());
  load_platform(engine, file, job.network);
  SMPI_init();
  engine.seal_platform();
  use_links_of(job.network);
  for (const isthmus::Host& host : job.network.hosts) {
    if (engine.host_by_name_or_null(host.name) == nullptr) {
      throw BadInput(fmt::format("{}: no host {}; the network to simulate must be of this platform", file, host.name));
    }
  }
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  json provenance = json::array(
      {{"simgrid", patch == 0 ? fmt::format("{}.{}", major, minor) : fmt::format("{}.{}.{}", major, minor, patch)},
       {"queueing", setting.queueing == Queueing::fifo ? "fifo" : "fluid"}});
  for (const auto& [key, value] : chosen) provenance.push_back({key, value});
  std::cout << text_of({{"provenance", provenance}}) << std::endl;
  for (int point = 0; point < static_cast<int>(job.points.size()); ++point) {
    std::cout << text_of(simulate_point(engine, job, setting, point)) << std::endl;
  }
}

Queueing queueing_named(const std::string& name) {
  if (name == "fifo") return Queueing::fifo;
  if (name == "fluid") return Queueing::fluid;
  throw BadInput(fmt::format("queueing \"{}\" is unknown; fifo or fluid is right", name));
}

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  try {
    if (argc != 3) throw BadInput("usage: isthmus-smpi PLATFORM fifo|fluid < JOB.json");
    const Queueing queueing = queueing_named(argv[2]);
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const json request = json::parse(text);
    const Setting setting{queueing, request.at("conditions").get<isthmus::Conditions>()};
    simulate(argv[1], setting, isthmus::job_from_json(request));
  } catch (const isthmus::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    status = error.exit_status();
  } catch (const std::exception& error) {
    const std::string what = error.what();
    fmt::print(stderr, "{}\n", what.substr(0, what.find('\n')));
    status = 2;
  }
  std::fflush(nullptr);
  std::_Exit(status);
}
