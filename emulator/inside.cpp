#include "emulator/inside.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>

#include "algorithms/errors.hpp"
#include "algorithms/mpi/job.hpp"
#include "emulator/apply.hpp"
#include "emulator/emulate.hpp"
#include "emulator/events.hpp"
#include "emulator/launcher.hpp"
#include "emulator/openmpi.hpp"
#include "emulator/probe.hpp"
#include "emulator/settings.hpp"

namespace isthmus {
namespace {

std::string joined(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

void tell_provenance(const std::string& name, const std::string& value) { tell({{"provenance", {name, value}}}); }

void set_environment(const EmulationSettings& settings) {
  clearenv();
  const std::string folder = fmt::format("{}/tmp", run_folder);
  mkdir(folder.c_str(), 0700);
  setenv("PATH", settings.path.c_str(), 1);
  setenv("HOME", folder.c_str(), 1);
  setenv("TMPDIR", folder.c_str(), 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  if (!settings.library_path.empty()) setenv("LD_LIBRARY_PATH", settings.library_path.c_str(), 1);
  // Sleeps end when they should, not up to 50 us later; all programs started inherit this.
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
}

/// The helper programs under names that need no quoting, wherever isthmus is installed.
void link_helpers(const EmulationSettings& settings) {
  const std::string folder = fmt::format("{}/bin", run_folder);
  checked(mkdir(folder.c_str(), 0755), "make " + folder);
  for (const auto& [name, file] :
       {std::pair{"enter", "isthmus-enter"}, {"worker", "isthmus-worker"}, {"idle.so", "libisthmus-idle.so"}}) {
    checked(symlink((settings.helpers + "/" + file).c_str(), (folder + "/" + name).c_str()), "link a helper program");
  }
}

void measure(const EmulationPlan& plan, const std::vector<RunningContainer>& containers,
             const EmulationSettings& settings) {
  for (const ProbePair& pair : plan.probes) {
    const Achieved got = probe(pair, plan, containers);
    tell({{"achieved",
           {{"from", got.from},
            {"to", got.to},
            {"asked_latency_s", got.asked_latency_s},
            {"latency_s", got.latency_s},
            {"asked_bandwidth_Bps", got.asked_bandwidth_Bps},
            {"bandwidth_Bps", got.bandwidth_Bps}}}});
    if (!pair.shaped) continue;
    const auto where = fmt::format("from {} to {}", got.from, got.to);
    if (std::abs(got.latency_s - got.asked_latency_s) >
        settings.tolerance * got.asked_latency_s + settings.latency_slack_s) {
      throw Refused(
          fmt::format("the emulated latency {} is {:.6g} s, not the {:.6g} s of the platform (tolerance {:g} %)", where,
                      got.latency_s, got.asked_latency_s, settings.tolerance * 100));
    }
    if (std::abs(got.bandwidth_Bps - got.asked_bandwidth_Bps) > settings.tolerance * got.asked_bandwidth_Bps) {
      throw Refused(
          fmt::format("the emulated rate {} is {:.6g} B/s, not the {:.6g} B/s of the platform (tolerance {:g} %)",
                      where, got.bandwidth_Bps, got.asked_bandwidth_Bps, settings.tolerance * 100));
    }
  }
}

/// Passes the worker's lines on as they come.
class Results {
 public:
  void pass_on() {
    std::ifstream file(path(), std::ios::binary);
    if (!file) return;
    file.seekg(static_cast<std::streamoff>(read_));
    for (std::string line; std::getline(file, line) && !file.eof();) {
      read_ += line.size() + 1;
      ++points_;
      tell(nlohmann::json::parse(line));
    }
  }
  static std::string path() { return fmt::format("{}/results.jsonl", run_folder); }
  std::size_t points() const { return points_; }

 private:
  std::size_t read_ = 0;
  std::size_t points_ = 0;
};

void work() {
  const auto settings = nlohmann::json::parse(read_text(settings_file)).get<EmulationSettings>();
  const Job job = job_from_json(nlohmann::json::parse(read_text(job_file)));
  const EmulationPlan plan =
      plan_emulation(job.network, job.placement, {.shape_host_links = settings.shape_host_links});
  set_environment(settings);
  link_helpers(settings);

  utsname kernel{};
  uname(&kernel);
  const auto parameters = openmpi_parameters(job.network.transport);
  tell_provenance("kernel", fmt::format("{} {}", kernel.sysname, kernel.release));
  tell_provenance("openmpi_parameters", joined(parameters));
  tell_provenance("rank_environment", joined(rank_environment()));
  tell_provenance("tcp", joined(host_settings()));
  tell_provenance("routes", route_settings());
  tell_provenance("host_links", settings.shape_host_links ? "shaped" : "not shaped");

  const std::size_t hosts = static_cast<std::size_t>(
      std::count_if(plan.containers.begin(), plan.containers.end(), [](const Container& c) { return c.host >= 0; }));
  tell_progress(fmt::format("laying out {} hosts and {} routers", hosts, plan.containers.size() - hosts));
  const std::vector<RunningContainer> containers = apply(plan);
  if (settings.settle_s > 0) {
    const timespec pause{static_cast<time_t>(settings.settle_s), 0};
    nanosleep(&pause, nullptr);
  }
  tell_progress(fmt::format("measuring {} links", plan.probes.size()));
  measure(plan, containers, settings);

  tell_progress(fmt::format("starting {} ranks", plan.container_of_rank.size()));
  Results results;
  const auto watch = [&] {
    results.pass_on();
    if (access(stop_file, F_OK) != 0) return;
    throw Refused(fmt::format("not done after {:g} s, in point {} of {}: {}", settings.timeout_s, results.points() + 1,
                              job.points.size(), states_of_ranks(plan)));
  };
  launch(plan, containers, {fmt::format("{}/bin/worker", run_folder), job_file, Results::path()},
         {.mpirun = settings.mpirun, .parameters = parameters, .environment = rank_environment(), .watch = watch});
  results.pass_on();
  if (results.points() != job.points.size()) {
    throw Refused(fmt::format("the ranks ended after {} of {} points", results.points(), job.points.size()));
  }
}

}  // namespace

void emulate_inside() {
  signal(SIGPIPE, SIG_IGN);
  try {
    work();
  } catch (const Error& error) {
    tell({{"error", error.what()}, {"status", error.exit_status()}});
  } catch (const std::exception& error) {
    tell({{"error", error.what()}, {"status", 1}});
  }
  tell({{"end", true}});
}

}  // namespace isthmus
