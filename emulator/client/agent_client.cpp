#include "emulator/client/agent_client.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "algorithms/errors.hpp"
#include "algorithms/process/first_line.hpp"
#include "algorithms/process/system.hpp"
#include "algorithms/text/printable.hpp"
#include "emulator/client/footprint.hpp"
#include "emulator/plan/plan.hpp"
#include "emulator/protocol/bundle.hpp"
#include "emulator/substrates/substrate.hpp"

namespace isthmus {
namespace {

std::string required_program(const std::string& name, const std::string& package) {
  const std::string path = program_path(name);
  if (path.empty()) throw Missing(fmt::format("no {}; `apt-get install {}` brings it", name, package));
  return path;
}

std::string root_folder(const std::string& path) {
  std::error_code problem;
  const std::filesystem::path folder = std::filesystem::canonical(path, problem);
  if (problem || !std::filesystem::is_directory(folder, problem)) {
    throw BadInput(fmt::format("--rootfs {}: cannot be used: {}; a folder with bin, lib ... would be right", path,
                               problem ? problem.message() : "not a folder"));
  }
  for (const char* hidden : {"/run", "/dev", "/proc", "/sys"}) {
    const std::string text = folder.string();
    if (text == "/" || text == hidden || text.starts_with(std::string(hidden) + "/")) {
      throw BadInput(
          fmt::format("--rootfs {}: cannot be used: emulated hosts have a {} of their own; a folder "
                      "elsewhere would be right",
                      path, text == "/" ? "/run" : hidden));
    }
  }
  return folder.string();
}

std::vector<std::string> command_line(const AgentLaunch& launch) {
  const Substrate& substrate = launch.settings.substrate;
  if (!substrate.own_kernel) return {launch.program, "agent"};
  std::vector<std::string> argv{substrate.kernel,
                                "root=/dev/root",
                                "rootfstype=hostfs",
                                "rootflags=/",
                                "ro",
                                fmt::format("mem={}M", launch.memory_MiB),
                                "init=/run/isthmus/init",
                                "con=null",
                                "con0=null,fd:1",
                                "quiet",
                                "loglevel=1",
                                "uml_dir=/run/isthmus"};
  argv.insert(argv.end(), substrate.boot.begin(), substrate.boot.end());
  return argv;
}

/// Reads the events of the agent.
class EventReader {
 public:
  explicit EventReader(const AgentEvents& events) : events_(events) {}

  AgentReport report;

  void read(const std::string& line) {
    const nlohmann::json event = nlohmann::json::parse(line);
    if (event.contains("error")) {
      error_ = event.at("error");
      status_ = event.at("status");
    } else if (event.contains("progress")) {
      if (events_.progress) events_.progress(event.at("progress"));
    } else if (event.contains("report")) {
      report.add(event.at("report").get<AgentReport>());
    } else if (event.contains("reached")) {
      reach(event.at("reached"));
    } else if (event.contains("end")) {
      ended_ = true;
    } else if (events_.of_work) {
      events_.of_work(event, report);
    }
  }

  /// `how` the agent ended.
  void check(const std::string& how) const {
    if (!error_.empty()) {
      if (status_ == 2) throw BadInput(error_);
      if (status_ == 3) throw Missing(error_);
      throw Refused(error_);
    }
    if (!ended_) throw Refused(fmt::format("the emulation broke off: isthmus-emulator {}", how));
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// The real times of the stages before the run are known when the run begins.
  void reach(const std::string& stage) {
    const Clock::time_point now = Clock::now();
    seconds_[stage_] = std::chrono::duration<double>(now - stage_began_).count();
    stage_began_ = now;
    stage_ = stage;
    if (stage != "run") return;
    const double kernel = seconds_["kernel"], network = seconds_["network"], ranks = seconds_["ranks"];
    report.provenance.emplace_back(
        "start_up", fmt::format("{:.2f} s (kernel {:.2f}, network {:.2f}, ranks {:.2f}), and the probe {:.2f} s",
                                kernel + network + ranks, kernel, network, ranks, seconds_["probe"]));
  }

  const AgentEvents& events_;
  Clock::time_point stage_began_ = Clock::now();
  std::string stage_ = "kernel";
  std::map<std::string, double> seconds_;
  std::string error_;
  int status_ = 0;
  bool ended_ = false;
};

/// The folder, and the folders that links in it lead to.
std::vector<std::string> folders_of_helpers(const std::string& helpers) {
  std::set<std::string> folders{helpers};
  for (const auto& entry : std::filesystem::directory_iterator(helpers)) {
    std::error_code none;
    const std::filesystem::path file = std::filesystem::canonical(entry.path(), none);
    if (!none) folders.insert(file.parent_path().string());
  }
  return {folders.begin(), folders.end()};
}

/// Errors in the input are reported before anything that this machine lacks.
Substrate substrate_for(const Network& network, const Placement& placement, const EmulationOptions& options) {
  try {
    return choose_substrate(options.substrate);
  } catch (const Missing&) {
    plan_emulation(network, placement, {.conditions = options.conditions});
    throw;
  }
}

}  // namespace

AgentLaunch prepare_agent(const Network& network, const Placement& placement, const EmulationOptions& options,
                          std::int64_t data_MiB) {
  AgentLaunch launch;
  EmulationSettings& settings = launch.settings;
  settings.options = options;
  settings.substrate = substrate_for(network, placement, options);
  settings.shaping = substrate_kind(settings.substrate.name).shaping;
  settings.plan = plan_emulation(network, placement, {settings.shaping, options.conditions});
  if (options.rootfs.empty()) {
    settings.mpirun = required_program("mpirun", "openmpi-bin");
  } else {
    settings.files.root = root_folder(options.rootfs);
    if (std::filesystem::exists(settings.files.root + "/config.json")) {
      required_program("crun", "crun");
      settings.files.bundle = settings.files.root;
      Bundle bundle = read_bundle(settings.files.bundle);
      settings.files.root = root_folder(bundle.root);
      settings.bundle_environment = std::move(bundle.environment);
    }
    settings.mpirun = "mpirun";  // found in that root
  }
  required_program("ip", "iproute2");
  const std::string tc = required_program("tc", "iproute2");
  const EmulationPlan& plan = settings.plan;
  if (!options.force) check_room(footprint(plan, settings.substrate, data_MiB), room_here(), options.timeout_s);
  launch.memory_MiB = 1024 + static_cast<std::int64_t>(placement.size()) * 64 +
                      static_cast<std::int64_t>(plan.containers.size()) * 2 + data_MiB;
  launch.program = std::filesystem::absolute(helper_program("isthmus-emulator")).string();
  settings.helpers = std::filesystem::path(launch.program).parent_path().string();
  settings.files.shown = folders_of_helpers(settings.helpers);
  launch.provenance = {{"substrate", settings.substrate.name},
                       {"iproute2", first_line_of({tc, "-V"})},
                       {"tolerance", fmt::format("{:g}", settings.tolerance())}};
  if (options.rootfs.empty()) {
    launch.provenance.emplace_back("mpi", first_line_of({settings.mpirun, "--version"}));
  } else {
    launch.provenance.emplace_back("rootfs", settings.files.root);
    std::vector<std::string>& modules = settings.substrate.modules;
    if (!modules.empty()) modules.emplace_back("kernel/fs/overlayfs/overlay");
  }
  const auto& of_substrate = settings.substrate.provenance;
  launch.provenance.insert(launch.provenance.end(), of_substrate.begin(), of_substrate.end());
  return launch;
}

std::string show_drop_in(EmulationSettings& settings, const std::string& library) {
  namespace fs = std::filesystem;
  const fs::path path = fs::weakly_canonical(fs::path(settings.helpers) / ISTHMUS_LIBRARIES_FROM_HELPERS / library);
  if (access(path.c_str(), R_OK) != 0)
    throw Missing(fmt::format("{}: no such library; install isthmus whole", path.string()));
  if (path.string().find_first_of(" :") != std::string::npos)
    throw Missing(
        fmt::format("{}: LD_PRELOAD cannot name a path with a blank or a colon; isthmus in another folder "
                    "would be right",
                    excerpt(path.string(), 200)));
  settings.files.shown.push_back(path.parent_path().string());
  return path.string();
}

AgentReport run_agent(const AgentLaunch& launch, const nlohmann::json& work, const AgentEvents& events,
                      ChildOptions supervision) {
  const Substrate& substrate = launch.settings.substrate;
  if (events.progress) events.progress(fmt::format("starting the substrate `{}`", substrate.name));
  const nlohmann::json request = AgentRequest{work, launch.settings, launch.program, command_line(launch), getpid()};
  EventReader reader(events);
  reader.report.provenance = launch.provenance;
  supervision.input = request.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  supervision.on_line = [&](const std::string& line) { reader.read(line); };
  const ChildResult child = run_child({launch.program, "supervise"}, supervision);
  const std::string last = child.last_error_line();
  reader.check(child.how_it_ended(supervision) + (last.empty() ? "" : ": " + last));
  if (child.exit_status != 0) throw Refused(fmt::format("isthmus-emulator: {}", child.last_error_line()));
  if (!substrate.real_time) reader.report.processor_waited = -1;
  return std::move(reader.report);
}

}  // namespace isthmus
