#include "emulator/agent/job_ranks.hpp"

#include <fmt/format.h>

#include <cctype>
#include <fstream>
#include <utility>

#include "algorithms/catalog.hpp"
#include "algorithms/errors.hpp"
#include "algorithms/text/counted.hpp"
#include "emulator/agent/gateways.hpp"
#include "emulator/agent/launcher.hpp"
#include "emulator/agent/openmpi.hpp"

namespace isthmus {
namespace {

constexpr std::size_t output_kept = 65536;

std::string variable_of(Collective collective) {
  std::string variable = "ISTHMUS_";
  for (const char letter : name(collective))
    variable += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return variable;
}

/// Passes on the worker's lines of results as they appear.
class Results {
 public:
  explicit Results(MessageSender& events) : events_(events) {}

  void pass_on() {
    std::ifstream file(path(), std::ios::binary);
    if (!file) return;
    if (!std::exchange(running_, true)) events_.send({{"reached", "run"}});  // the file exists: the ranks run
    file.seekg(static_cast<std::streamoff>(read_));
    for (std::string line; std::getline(file, line) && !file.eof();) {
      read_ += line.size() + 1;
      ++points_;
      events_.send(nlohmann::json::parse(line));
    }
  }
  static std::string path() { return fmt::format("{}/results.jsonl", run_folder); }
  std::size_t points() const { return points_; }

 private:
  MessageSender& events_;
  std::size_t read_ = 0;
  std::size_t points_ = 0;
  bool running_ = false;
};

}  // namespace

void run_ranks_of_job(const Job& job, const std::string& drop_in, const AgentContext& context,
                      const ConditionDriver& driver) {
  const EmulationPlan& plan = context.plan;
  context.events.send({{"progress", "starting " + counted(plan.container_of_rank.size(), "rank")}});
  const std::string job_file = fmt::format("{}/job.json", run_folder);
  write_text(job_file, to_json(job).dump());
  Results results(context.events);
  MessageReceiver commands(commands_folder);
  std::string said;

  LaunchOptions options;
  options.mpirun = context.settings.mpirun;
  options.parameters = openmpi_parameters(context.network.transport);
  options.environment = rank_environment(plan.streams);
  if (!drop_in.empty()) {
    options.environment.front().second.insert(0, drop_in + ":");
    add_forwarding(context, options.environment);
    // The plans are the worker's own; the drop-in only forwards.
    for (const Collective collective : collectives()) options.environment.emplace_back(variable_of(collective), "mpi");
  }
  options.output = [&](bool, std::string_view bytes) {
    said += bytes;
    if (said.size() > output_kept) said.erase(output_kept / 2, said.size() - output_kept);
  };
  options.watch_every_ms = 50;
  options.watch = [&](pid_t) {
    results.pass_on();
    if (!commands.receive()) return;  // the only command for a job is to stop
    throw Refused(
        with_cut_links(fmt::format("not done after {:g} s, in point {} of {}: {}", context.settings.options.timeout_s,
                                   results.points() + 1, job.points.size(), states_of_ranks(plan)),
                       driver));
  };
  std::vector<std::string> worker{fmt::format("{}/bin/worker", run_folder), job_file, Results::path(),
                                  fmt::format("{}", context.settings.substrate.rest_s)};
  if (driver.wants_starts()) worker.emplace_back(condition_socket);
  const int status = launch(plan, context.containers, worker, options);
  if (status != 0) {
    std::vector<std::string> host_of_rank;
    for (const int container : plan.container_of_rank) host_of_rank.push_back(plan.containers[container].name);
    throw Refused(with_cut_links(reason_of_failure(said, ending(status), host_of_rank), driver));
  }
  results.pass_on();
  if (results.points() != job.points.size()) {
    throw Refused(fmt::format("the ranks ended after {} of {} points", results.points(), job.points.size()));
  }
}

}  // namespace isthmus
